package commitlog

import (
	"bytes"
	"errors"
	"io"
)

// scanWindow is how much of a segment a scan reads at once.
const scanWindow = 256 << 10

// A scan reads the records of one segment in order. It trusts nothing: a
// record counts if its checksum is that of the entry that is due.
type scan struct {
	file      io.ReaderAt
	seed      seed
	at        int64  // where the next record starts
	next      uint64 // the index of the next entry
	limit     int64  // where the records end at the latest
	dirty     int64  // behind the last byte that is known not to be zero
	most      uint64 // the indexes from here on the segment cannot have
	least     uint64 // the entry that was due at the first damage
	hurt      bool   // there was any
	untold    bool   // the segment does not tell its base: entries can come before the one that is due
	tried     int64  // how many places could have been the start of a record and were none,
	triedEnds int64  // and of one that ends where the file does
	sums      *sums  // of the file, once one was needed

	window   []byte
	windowAt int64
}

// scan goes through all of a segment's file that can have records.
func (s *segment) scan() *scan { return newScan(s, min(s.size.Load(), maxOffset)) }

// newScan scans a segment from its first record on, up to an offset. Of one that does not
// tell its base there can be entries before what is held for it, which were truncated.
func newScan(s *segment, limit int64) *scan {
	entries := uint64(max(0, limit-recordsStart)) / leastRecord
	sc := &scan{file: s.file, seed: s.seed, at: recordsStart, next: s.base, limit: limit, most: s.base + entries}
	if f := s.found; f != nil && !f.told {
		sc.hurt, sc.untold, sc.least = true, true, s.base-min(s.base, entries)
	}
	return sc
}

// anywhere has the scan look for entries from an index on and below another, of which none is due.
func (s *scan) anywhere(least, most uint64) {
	s.next, s.least, s.most, s.hurt, s.untold = unlimited, least, most, true, true
}

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
	return s.window[min(at-s.windowAt, int64(len(s.window))):], nil
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

// read parses the record of an entry at an offset. It reports false if that is not there.
func (s *scan) read(at int64, index uint64) (record, bool, error) {
	if skip := at - s.windowAt; skip >= 0 && skip < int64(len(s.window)) { // as it is nearly always
		if r, ok := parseRecord(s.seed, index, s.window[skip:]); ok {
			return r, true, nil
		}
	}
	h, _, ok, err := s.headAt(at)
	if err != nil || !ok {
		return record{}, false, err
	}
	b, err := s.peek(at, h.record())
	if err != nil {
		return record{}, false, err
	}
	r, ok := parseRecord(s.seed, index, b)
	return r, ok, nil
}

// step reads the next record and moves behind it. It reports false, and stays,
// where the record of the entry that is due does not begin.
func (s *scan) step() (record, bool, error) {
	r, ok, err := s.read(s.at, s.next)
	if ok {
		s.at += r.record()
		s.next++
		s.dirty = s.at
	}
	return r, ok, err
}

// walk visits each intact record in the order in which they stand, behind damage the next
// that can be found: pages can have changed places. It ends at the scan's limit, or with the
// visitor's error.
func (s *scan) walk(visit func(index uint64, at int64, r record) error) error {
	for {
		at, index := s.at, s.next
		r, ok, err := s.step()
		if err == nil && ok {
			err = visit(index, at, r)
		} else if err == nil {
			ok, err = s.resync()
		}
		if err != nil || !ok {
			return err
		}
	}
}

// errEnough ends a walk whose visitor wants no more.
var errEnough = errors.New("enough")

// restDirty finds the last byte that is not zero.
func (s *scan) restDirty() error {
	for at := s.at; at < s.limit; {
		b, err := s.peek(at, min(scanWindow, s.limit-at))
		if err != nil {
			return err
		}
		if n := lastDirty(b); n > 0 {
			s.dirty = at + int64(n)
		}
		at += max(1, int64(len(b)))
	}
	return nil
}

// resync moves from damage to the next intact record of an entry that has not come before
// the first damage, and reports false if there is none. Then at is the limit.
func (s *scan) resync() (bool, error) {
	if !s.hurt {
		s.hurt, s.least = true, s.next
	}
	from := s.at
	target, due, err := s.hop()
	if err != nil {
		return false, err
	}
	for at := from; at < s.limit; at++ {
		if at == target {
			s.at, s.next = at, due
			return true, nil
		}
		b, err := s.peek(at, 2*sumSize)
		if err != nil {
			return false, err
		}
		if zeros := firstDirty(b); zeros > sumSize { // a record does not begin with more
			at += int64(zeros-sumSize) - 1
			continue
		} else if zeros == 0 {
			s.dirty = max(s.dirty, at+1)
		}
		index, ok, err := s.indexAt(at, uint64((at-from)/leastRecord))
		if err != nil {
			return false, err
		}
		if ok {
			s.at, s.next = at, index
			return true, nil
		}
	}
	s.at = s.limit
	return false, nil
}

// mostHops is how many damaged records that follow one another are gone over by their heads.
const mostHops = 16

// hop finds the next intact record, and its index, by what the heads of damaged ones say of
// where they end; at 0 if that leads to none. One place and one index are tried a head, so
// that chance has next to none. A head may be damaged itself, and lead too far.
func (s *scan) hop() (at int64, index uint64, err error) {
	at = s.at
	for index = s.next + 1; index < min(s.most, s.next+mostHops); index++ {
		h, _, ok, err := s.headAt(at)
		if err != nil || !ok {
			return 0, 0, err
		}
		at += h.record()
		if _, ok, err = s.read(at, index); ok || err != nil {
			return at, index, err
		}
		if !s.untold {
			continue
		}
		if other, ok, err := s.indexAt(at, mostHops); ok || err != nil { // damage may be to what was truncated
			return at, other, err
		}
	}
	return 0, 0, nil
}

// headAt parses the head of the record at an offset, and its checksum. It reports false if there is no room for such a record.
func (s *scan) headAt(at int64) (h head, sum uint32, ok bool, err error) {
	b, err := s.peek(at, sumSize+mostHead)
	if h, ok = parseHead(b); err != nil || !ok || h.record() > s.limit-at {
		return 0, 0, false, err
	}
	return h, sumOf(b), true, nil
}

// indexAt returns the index of the entry whose record starts at an offset, from least on,
// and reports false if there is none to be believed. The checksum says which one it would
// have to be. Two that follow one another are believed; one alone is if no more than most
// entries can be missing before it, and chance makes such a one seldom enough.
func (s *scan) indexAt(at int64, most uint64) (index uint64, ok bool, err error) {
	h, sum, ok, err := s.headAt(at)
	if err != nil || !ok {
		return 0, false, err
	}
	zeroSum, err := s.sum(at+sumSize, at+h.record())
	if err != nil {
		return 0, false, err
	}
	end := at + h.record()
	if s.tried++; end == s.limit {
		s.triedEnds++
	}
	skipped := uint64(s.seed.index(startOf(sum, zeroSum, h.record()-sumSize)) - uint32(s.least))
	if index = s.least + skipped; index >= s.most {
		return 0, false, nil
	}
	if s.untold {
		skipped = s.missing(index)
	}
	if skipped > most || !s.believes(end, index, most) {
		if _, ok, err = s.read(end, index+1); err != nil || !ok {
			return index, false, err
		}
	}
	_, ok, err = s.read(at, index)
	return index, ok, err
}

// believes reports whether a record alone that ends at an offset is to be believed, before
// which no more than most entries are missing: where chance makes one of the places tried so
// far such a record in less than one case in a million, or a little more often one before
// which few are missing. Fewer places are tried that could end where the file does, as the
// last record of a log does that was closed.
func (s *scan) believes(end int64, index, most uint64) bool {
	missing := s.missing(index)
	if end == s.limit && missing < believed/uint64(s.triedEnds) {
		return true
	}
	return uint64(s.tried)*(most+1) < believed || missing < believedNear/uint64(s.tried)
}

// missing is how many entries lie between the one that is due and another: very many if that one comes
// before it, where that cannot be.
func (s *scan) missing(index uint64) uint64 {
	if s.untold && index < s.next {
		return s.next - index
	}
	return index - s.next
}

// believed is how often something is tried that succeeds by chance once in 2^32 times;
// believedNear how often divided by the number of places, over which it is summed up.
const (
	believed     = 1 << 12
	believedNear = 1 << 9
)

// sum is the checksum of the bytes from..to.
func (s *scan) sum(from, to int64) (uint32, error) {
	if to-from <= sumsBlock {
		b, err := s.peek(from, to-from)
		return checksum(b[:min(to-from, int64(len(b)))]), err
	}
	if s.sums == nil {
		sums, err := newSums(s.file, s.limit)
		if err != nil {
			return 0, err
		}
		s.sums = sums
	}
	return s.sums.of(from, to)
}

// firstDirty returns how many zeros b begins with.
func firstDirty(b []byte) int {
	n := 0
	for n+len(zeroPiece) <= len(b) && bytes.Equal(b[n:n+len(zeroPiece)], zeroPiece[:]) {
		n += len(zeroPiece)
	}
	for n < len(b) && b[n] == 0 {
		n++
	}
	return n
}

// lastDirty returns the length of b without the zeros at its end.
func lastDirty(b []byte) int {
	n := len(b)
	for n >= len(zeroPiece) && bytes.Equal(b[n-len(zeroPiece):n], zeroPiece[:]) {
		n -= len(zeroPiece)
	}
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return n
}

// zeroPiece is what bytes are held to, many at a time.
var zeroPiece [512]byte
