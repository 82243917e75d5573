package commitlog

import (
	"encoding/binary"
	"io"
)

// scanWindow is how much of a segment a scan reads at once.
const scanWindow = 256 << 10

// A scan reads the records of one segment in order. It trusts nothing: a
// record counts if its checksum and its index are those that belong there.
type scan struct {
	file  io.ReaderAt
	seed  uint32
	at    int64  // where the next record starts
	next  uint64 // the index of the next entry
	limit int64  // where the records end at the latest
	guess int64  // how many bytes may still be summed for what turns out to be no record

	window   []byte
	windowAt int64
}

func newScan(file io.ReaderAt, h header, limit int64) *scan {
	return &scan{file: file, seed: h.seed(), at: recordsStart, next: h.base, limit: limit, guess: guessedTimes*limit + scanWindow}
}

// What looks like a large record, and is none that belongs there, has as many bytes read
// as it claims, and others like it may be among these. A scan reads so no more than this many
// times its file, and half of it at one place. When that is used up, what claims to be
// larger than guessedSize is held for damage.
const (
	guessedTimes = 8
	guessedSize  = 4096
)

// peek returns at least n bytes from offset at, fewer only at the limit.
func (s *scan) peek(at, n int64) ([]byte, error) {
	n = min(n, s.limit-at)
	if n <= 0 {
		return nil, nil
	}
	if at < s.windowAt || at+n > s.windowAt+int64(len(s.window)) {
		if err := s.fill(at, n); err != nil {
			return nil, err
		}
	}
	return s.window[at-s.windowAt:], nil
}

func (s *scan) fill(at, n int64) error {
	size := int(min(max(n, scanWindow), s.limit-at))
	if cap(s.window) < size {
		s.window = make([]byte, size)
	}
	s.window, s.windowAt = s.window[:size], at
	read, err := s.file.ReadAt(s.window, at)
	if err == io.EOF {
		s.limit, err = at+int64(read), nil // the file ends before it was said to
	}
	s.window = s.window[:read]
	return err
}

// read parses the record at an offset. It reports false if none is intact
// there.
func (s *scan) read(at int64) (record, bool, error) {
	b, err := s.peek(at, recordHeaderSize)
	if err != nil {
		return record{}, false, err
	}
	r, ok := parseHead(b)
	if !ok || r.size > s.limit-at || s.guess < 0 && r.size > guessedSize {
		return record{}, false, nil
	}
	size := r.size
	if b, err = s.peek(at, size); err != nil {
		return record{}, false, err
	}
	if r, ok = parseRecord(s.seed, b); !ok {
		s.guess -= size
	}
	return r, ok, nil
}

// step reads the next record and moves behind it. It reports false, and stays,
// where no intact record of the entry that is due begins.
func (s *scan) step() (record, bool, error) {
	r, ok, err := s.read(s.at)
	if err != nil || !ok {
		return record{}, false, err
	}
	if r.index != uint32(s.next) { // what it holds is gone through once more
		s.guess -= r.size
		return record{}, false, nil
	}
	s.at += r.size
	if r.kind != markKind {
		s.next++
	}
	return r, true, nil
}

// resync moves from damage to the next intact record, skipping the entries
// between, and reports false if there is none. Then at is the limit. A record counts
// only if its index is one that could have come so far.
func (s *scan) resync() (bool, error) {
	from, due := s.at, s.next
	return s.find(from+alignment, func(low uint32, at int64) (uint64, bool) {
		skipped := low - uint32(due)
		return due + uint64(skipped), int64(skipped) <= (at-from)/recordSize(0)
	})
}

// find moves to the first intact record from an offset on whose index, of which it has
// the low half, can be there, and reports false if there is none. Where a record may
// start is not known, so each aligned offset is tried.
func (s *scan) find(from int64, can func(low uint32, at int64) (index uint64, ok bool)) (bool, error) {
	least := s.guess - guessedTimes/2*(s.limit-from) - scanWindow // of it, to be left
	for at := from; at < s.limit; at += alignment {
		b, err := s.peek(at, recordHeaderSize)
		if err != nil {
			return false, err
		}
		if len(b) >= alignment && binary.LittleEndian.Uint64(b) == 0 {
			continue
		}
		r, whole := parseHead(b)
		index, ok := can(r.index, at)
		if !whole || !ok || s.guess < least && r.size > guessedSize {
			continue
		}
		if _, ok, err := s.read(at); err != nil {
			return false, err
		} else if ok {
			s.at, s.next = at, index
			return true, nil
		}
	}
	s.at = s.limit
	return false, nil
}

// A remainder is what stands behind the last record that a scan could reach.
type remainder struct {
	entries  uint64 // intact ones
	safe     uint64 // the highest count that was flushed, as marks and trailers say
	sealed   uint64 // the highest count that was in sealed segments
	dirtyEnd int64  // behind the last byte that is not zero; 0 if all are
}

// survey looks through what is behind the point that the scan has reached.
func (s *scan) survey() (remainder, error) {
	found := remainder{}
	dirty, err := s.dirtyEnd()
	if err != nil || dirty == 0 {
		return found, err
	}
	found.dirtyEnd = dirty
	for {
		if err := s.count(&found); err != nil {
			return found, err
		}
		if ok, err := s.resync(); err != nil || !ok {
			return found, err
		}
	}
}

// count adds up the intact records up to the next gap.
func (s *scan) count(found *remainder) error {
	for {
		r, ok, err := s.step()
		switch {
		case err != nil || !ok:
			return err
		case r.kind == markKind:
			found.safe = max(found.safe, min(r.pledge().safe, s.next))
			found.sealed = max(found.sealed, min(r.pledge().sealed, s.next))
		default:
			found.entries++
		}
	}
}

// extent reads on, over damage, and returns the index behind the last entry
// that has to be in the log: those below safe have to, and so have those that
// follow without a gap, whole batches of them.
func (s *scan) extent(safe uint64) (uint64, error) {
	end := safe
	for {
		r, ok, err := s.step()
		switch {
		case err != nil:
			return 0, err
		case ok && !r.more:
			end = max(end, s.next)
		case !ok && s.next >= safe:
			return end, nil
		case !ok:
			if ok, err := s.resync(); err != nil || !ok || s.next > safe {
				return end, err
			}
		}
	}
}

// dirtyEnd returns the offset behind the last byte from at on that is not
// zero; 0 if all are.
func (s *scan) dirtyEnd() (int64, error) {
	end := int64(0)
	for at := s.at; at < s.limit; {
		b, err := s.peek(at, min(scanWindow, s.limit-at))
		if err != nil {
			return 0, err
		}
		if n := lastDirty(b); n > 0 {
			end = at + int64(n)
		}
		at += int64(len(b))
	}
	return end, nil
}

// lastDirty returns the length of b without the zeros at its end.
func lastDirty(b []byte) int {
	n := len(b)
	for n >= 8 && binary.LittleEndian.Uint64(b[n-8:n]) == 0 {
		n -= 8
	}
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return n
}
