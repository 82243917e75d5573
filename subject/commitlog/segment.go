package commitlog

import (
	"errors"
	"math"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A segment is one file of a log. Of the last one, only who writes to it may look at end. A full one changes no
// more: its table, and its trailer, make another segment of it.
type segment struct {
	header
	until  uint64       // its entries from here on were truncated
	name   string       // of the file
	path   string       // for messages
	file   disk.File    // nil once the segment is sealed and memory is its file
	memory *disk.Memory // its bytes: the mapped file, or those that an output brings there; nil if there are none
	output *output      // nil if memory is the file
	seed   seed         // what the checksums of the header's records start from

	sealed   bool         // it has a trailer, and is safe
	count    uint64       // entries of a segment that is full
	stride   int64        // of a full one: how far apart its records are; 0 if it has a table instead
	tableAt  int64        // where its table is, or would be
	tableSum uint32       // checksum of the table; 0 if there is none
	offsets  *offsets     // where each record starts, until it is full
	end      int64        // behind the last record
	size     atomic.Int64 // of the file; from end on it is zero until there is a table, unless it was cut
	unsure   stretch      // bytes that opening has found, of which nothing says that they are safe; of who flushes

	found *findings // what opening knows; nil of a segment that was made since
}

// A stretch is a piece of a file.
type stretch struct{ from, to int64 }

func (s *segment) entries() uint64 {
	if s.offsets == nil {
		return s.count
	}
	return s.offsets.n
}

// next is the index that follows the segment's last entry that was not truncated.
func (s *segment) next() uint64 { return max(s.base, min(s.base+s.entries(), s.until)) }

// offsetOf returns where the record of an entry starts, or would.
func (s *segment) offsetOf(index uint64) int64 {
	switch {
	case index < s.base:
		return recordsStart
	case index >= s.base+s.offsets.n:
		return s.end
	}
	return s.offsets.at(index - s.base)
}

// take makes a header the segment's.
func (s *segment) take(h header) { s.header, s.seed = h, h.seed() }

// newSegment returns a segment without records, in a file that is empty.
func newSegment(dir disk.Dir, name string, h header, file disk.File) *segment {
	return &segment{header: h, until: unlimited, seed: h.seed(), name: name, path: dir.Path(name),
		file: file, offsets: new(offsets), end: recordsStart}
}

// createSegment makes the segment that comes next, which has no base yet, nor a header. Its name
// is safe when it returns. If it fails it leaves nothing behind, or what the next try or opening removes.
func createSegment(dir disk.Dir, h header, options *FileOptions, mapped bool) (*segment, error) {
	name := segmentName(h.number)
	file, err := createAnew(dir, name)
	if err != nil {
		return nil, err
	}
	s := newSegment(dir, name, h, file)
	err = s.remember(options, options.SegmentSize, mapped)
	if err == nil && options.Durability == Always && !options.cached { // past the system's cache, if that can be had
		err = s.output.openDirect()
	}
	if err == nil {
		err = flush(dir)
	}
	if err != nil {
		return nil, both(err, both(s.close(), dir.Remove(name)))
	}
	return s, nil
}

// remember gives the segment memory for size bytes: the mapped file, with room for the
// table, since mapping it anew for that would have every page looked up again; or
// memory of the process, which has of what is in the file only what it was given.
func (s *segment) remember(options *FileOptions, size int64, mapped bool) error {
	if mapped {
		return s.mapFile(size + size/4)
	}
	memory := disk.Anonymous((size + disk.Alignment - 1) &^ (disk.Alignment - 1))
	o := s.output
	if o == nil {
		o = &output{file: s.file, kept: options.kept, block: 1}
		o.done.Store(s.end)
		o.first.Store(s.end)
		if s.end == recordsStart {
			o.first.Store(0)
		}
	}
	o.memory, s.memory, s.output = memory, memory, o
	return nil
}

// close closes the segment's file.
func (s *segment) close() error {
	err := s.output.close()
	if s.file != nil {
		err = both(s.file.Close(), err)
	}
	return err
}

// letGo has a sealed segment that is mapped do without its file, which is to be closed, if it returns one: a
// log can have more segments than a process files. What is mapped stays.
func (s *segment) letGo() (file disk.File) {
	if s.sealed && s.memory != nil {
		file, s.file = s.file, nil
	}
	return file
}

// mapFile makes at least size bytes of the file memory.
func (s *segment) mapFile(size int64) error {
	if s.memory != nil && int64(len(s.memory.Bytes())) >= size {
		return nil
	}
	memory, err := s.file.Map(size)
	if err == nil {
		s.memory = memory
	}
	return err
}

// mapForReads has single entries read from memory, a page at a time, where that can be
// had: Readers read the file.
func (s *segment) mapForReads() {
	if s.mapFile(s.size.Load()) == nil {
		s.memory.Random()
	} else {
		s.memory = nil // it can be less
	}
}

// reserve makes the file at least size bytes long, so that what is stored or written
// there finds its space.
func (s *segment) reserve(size int64) error {
	if s.output != nil {
		size = s.output.up(size)
	}
	if size <= s.size.Load() {
		return nil
	}
	err := s.file.Reserve(size)
	if errors.Is(err, errors.ErrUnsupported) {
		err = writeZeros(s.file, s.size.Load(), size, disk.MostZeros)
	}
	if err == nil {
		s.size.Store(size)
	}
	return err
}

// maxOffset is the highest offset that a table can hold.
const maxOffset = math.MaxUint32

// writeZeros writes zeros, as many at once as a piece has.
func writeZeros(file disk.File, from, to, piece int64) error {
	for from < to {
		n := min(to-from, piece-from%piece)
		if _, err := file.WriteAt(disk.Zeros()[:n], from); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// secureWindow is how many bytes are written once more at a time.
const secureWindow = 1 << 20

// secure makes all of the segment safe, to which nobody stores below end any more. What
// nothing vouches for, of what opening has found, is written once more: if the flush of the
// process before had failed, the system holds that for clean, and this flush would leave it
// out.
func (s *segment) secure(end int64) error {
	if s.unsure.to > 0 && s.unsure.from < recordsStart { // what is there is not always what it should be
		if _, err := s.file.WriteAt(s.header.block(), 0); err != nil {
			return err
		}
		s.unsure.from = recordsStart
	}
	b := make([]byte, min(secureWindow, s.unsure.to-s.unsure.from))
	for at := s.unsure.from; at < s.unsure.to; at += int64(len(b)) {
		b = b[:min(int64(len(b)), s.unsure.to-at)]
		if _, err := s.file.ReadAt(b, at); unlessEnd(err) != nil {
			return err
		}
		if _, err := s.file.WriteAt(b, at); err != nil {
			return err
		}
	}
	if err := s.flush(end); err != nil {
		return err
	}
	s.unsure = stretch{}
	return nil
}

// flush makes the file safe, to which nobody stores below end any more.
func (s *segment) flush(end int64) error {
	if s.output == nil && s.memory != nil {
		s.memory.Forget(0, end)
	}
	return flush(s.file)
}
