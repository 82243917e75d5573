package commitlog

import (
	"bufio"
	"fmt"
	"io"
)

// A recovery is what reading a log file from its start found.
type recovery struct {
	path    string
	salt    uint64
	offsets []int64 // where each record starts
	end     int64   // behind the last intact record
	size    int64   // of the file
}

// scan reads the records behind the file header up to the first that is not
// intact. It fails only where reading fails.
func (r *recovery) scan(s storage) error {
	in := bufio.NewReaderSize(io.NewSectionReader(s, r.end, r.size-r.end), 1<<20)
	head := make([]byte, recordHeaderSize)
	var value []byte
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return unlessEnd(err)
		}
		h, ok := parseRecordHeader(r.salt, head)
		if !ok || h.index != uint64(len(r.offsets)) {
			return nil
		}
		value = grow(value, int(h.length))
		if _, err := io.ReadFull(in, value); err != nil {
			return unlessEnd(err)
		}
		if checksum(value) != h.valueSum {
			return nil
		}
		r.offsets = append(r.offsets, r.end)
		r.end += recordHeaderSize + int64(h.length)
	}
}

// checkTail decides what the bytes behind the last intact record are. They
// are a torn tail, and nil is returned, unless a later record proves that the
// one missing here had been promised: then they are damage.
//
// A later record's header is proof enough. Where it starts is not known, so
// every byte is tried; the salt and the index keep chance out.
func (r *recovery) checkTail(s storage) error {
	missing := uint64(len(r.offsets))
	most := uint64(r.size-r.end) / recordHeaderSize // records that fit into the tail
	in := bufio.NewReaderSize(io.NewSectionReader(s, r.end, r.size-r.end), 1<<20)
	for at := r.end; ; at++ {
		head, err := in.Peek(recordHeaderSize)
		if err != nil {
			return unlessEnd(err)
		}
		h, ok := parseRecordHeader(r.salt, head)
		if ok && h.index > missing && h.index-missing <= most && h.safe() > missing {
			return &CorruptError{Path: r.path, Index: missing, Offset: r.end,
				Reason: fmt.Sprintf("record is damaged, and the record of entry %d follows at byte %d", h.index, at)}
		}
		if _, err := in.Discard(1); err != nil {
			return unlessEnd(err)
		}
	}
}

// unlessEnd hides the errors that say the file ends here.
func unlessEnd(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// grow returns a slice of n bytes, in b's memory if that is large enough.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
