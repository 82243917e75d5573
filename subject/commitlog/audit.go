package commitlog

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// An audit reads every byte of one segment and tells what it finds.
type audit struct {
	s    *segment
	next uint64 // the entries below have to be in the segment
	// entry is called for each entry that is intact, in order.
	entry func(index uint64, value []byte) error
	// damage is called for what is damaged, and how many entries it cost.
	damage func(damage *CorruptError, lost uint64) error

	table     *scan   // of a sealed segment's table, of which it holds a piece
	misplaced *uint64 // the first entry whose record is not where the table says
}

func (a *audit) run() error {
	if a.s.headless() {
		return a.withoutHeader()
	}
	if !a.s.sealed {
		return a.records()
	}
	a.table = newScan(a.s.file, a.s.header, a.s.end+tableSize(a.s.count))
	if err := a.records(); err != nil {
		return err
	}
	return a.checkTable()
}

// withoutHeader gives up all entries: without the salt no record can be told
// from chance. The header itself was reported when it was read.
func (a *audit) withoutHeader() error {
	if a.next == a.s.base {
		return nil
	}
	return a.gap(a.s.base, a.next, recordsStart)
}

// records goes through the records, over damage to the next intact one.
func (a *audit) records() error {
	limit := a.s.scannable()
	if a.s.sealed {
		limit = a.s.end
	}
	sc := newScan(a.s.file, a.s.header, limit)
	for sc.next < a.next || a.s.sealed && sc.at < limit {
		at, index := sc.at, sc.next
		r, ok, err := sc.step()
		if err == nil && ok {
			err = a.found(r, index, at)
		} else if err == nil {
			err = a.skip(sc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) found(r record, index uint64, at int64) error {
	if r.kind == markKind {
		return nil
	}
	if err := a.compare(index, at); err != nil {
		return err
	}
	if r.kind == lostKind {
		return a.damage(a.s.lost(index, at), 1)
	}
	return a.entry(index, r.value)
}

// compare looks up a record in the table.
func (a *audit) compare(index uint64, at int64) error {
	if !a.s.sealed || a.misplaced != nil || index-a.s.base >= a.s.count {
		return nil
	}
	b, err := a.table.peek(a.s.end+4*int64(index-a.s.base), 4)
	if err == nil && (len(b) < 4 || binary.LittleEndian.Uint32(b) != uint32(at)) {
		a.misplaced = &index
	}
	return err
}

// skip moves over damage.
func (a *audit) skip(sc *scan) error {
	at, from := sc.at, sc.next
	ok, err := sc.resync()
	if err != nil {
		return err
	}
	if !ok || sc.next > a.next {
		sc.next = max(from, a.next)
	}
	return a.gap(from, sc.next, at)
}

// gap tells that the entries from from on and below to are not there.
func (a *audit) gap(from, to uint64, at int64) error {
	reason := "bytes between two records are damaged"
	switch {
	case to == from+1:
		reason = "checksum does not match"
	case to > from:
		reason = fmt.Sprintf("checksums do not match up to entry %d", to-1)
	}
	return a.damage(a.s.corrupt(from, at, reason), to-from)
}

// checkTable tells whether a sealed segment's table is as it was written.
func (a *audit) checkTable() error {
	t, ok, err := a.s.readTrailer()
	if err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(a.s.file, a.s.end, tableSize(a.s.count))); err != nil {
		return err
	}
	if ok && t.tableSum == sum.Sum32() {
		return nil
	}
	index := a.s.base
	if a.misplaced != nil {
		index = *a.misplaced
	}
	return a.damage(a.s.corrupt(index, a.s.end, "segment's table of entries is damaged"), 0)
}
