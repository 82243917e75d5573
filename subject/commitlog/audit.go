package commitlog

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
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

// records goes through the records.
func (a *audit) records() error {
	limit := a.s.scannable()
	if a.s.sealed {
		limit = a.s.end
	}
	sc := newScan(a.s.file, a.s.header, limit)
	for sc.next < a.next || a.s.sealed && sc.at < limit {
		at, index := sc.at, sc.next
		r, ok, err := sc.step()
		if err == nil && !ok {
			return a.scattered(sc)
		}
		if err == nil {
			err = a.found(r, index, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A stretch is intact records of entries that follow one another.
type stretch struct {
	first, next uint64
	at, end     int64
}

// scattered goes on behind the first damage: all entries that are in the file, wherever
// they stand, in order. Pages can have changed places.
func (a *audit) scattered(sc *scan) error {
	at, next, limit := sc.at, sc.next, sc.limit
	found, err := a.gather(sc)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.next <= next {
			continue // there is another
		}
		if f.first > next || f.at != at {
			if err := a.gap(next, max(next, f.first), at); err != nil {
				return err
			}
		}
		if err := a.reread(f, next, limit); err != nil {
			return err
		}
		at, next = f.end, f.next
	}
	if next < a.next || a.s.sealed && at < limit {
		return a.gap(next, max(next, a.next), at)
	}
	return nil
}

// gather finds all intact records of entries that are due, from where a scan is on, in
// the order of the entries.
func (a *audit) gather(sc *scan) (found []stretch, err error) {
	due := sc.next
	can := func(low uint32, _ int64) (uint64, bool) {
		index := due + uint64(low-uint32(due))
		return index, index < a.next
	}
	for {
		ok, err := sc.find(sc.at, can)
		if err != nil {
			return nil, err
		}
		if !ok {
			slices.SortStableFunc(found, func(a, b stretch) int { return cmp.Compare(a.first, b.first) })
			return found, nil
		}
		f := stretch{first: sc.next, at: sc.at}
		for more := true; more && sc.next < a.next; {
			if _, more, err = sc.step(); err != nil {
				return nil, err
			}
		}
		if f.next, f.end = sc.next, sc.at; f.next > f.first {
			found = append(found, f)
		}
	}
}

// reread tells of the entries of a stretch from an index on.
func (a *audit) reread(f stretch, from uint64, limit int64) error {
	sc := newScan(a.s.file, a.s.header, limit)
	for sc.at, sc.next = f.at, f.first; sc.next < f.next; {
		at, index := sc.at, sc.next
		r, ok, err := sc.step()
		if err == nil && !ok {
			err = a.gap(index, f.next, at) // it has changed meanwhile
			sc.next = f.next
		} else if err == nil && index >= from {
			err = a.found(r, index, at)
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
