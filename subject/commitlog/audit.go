package commitlog

import (
	"fmt"
	"hash/crc32"
	"io"
)

// An audit reads every byte of one segment and tells what it finds.
type audit struct {
	s     *segment
	first uint64 // the entries below were truncated, and nobody is told of them
	next  uint64 // the entries below have to be in the segment
	// entry is called for each entry that is intact, in order.
	entry func(index uint64, value []byte) error
	// damage is called for what is damaged, and how many entries it cost.
	damage func(damage *CorruptError, lost uint64) error

	due   uint64 // the entry that comes next,
	at    int64  // and where it should start
	table *scan  // of a sealed segment
	sound bool   // the table is as it was written
}

func (a *audit) run() error {
	a.due, a.at = a.s.base, recordsStart
	end, err := a.records()
	if err != nil {
		return err
	}
	return a.gap(a.next, max(a.at, end))
}

// records goes through the records, of which the last one ends at the offset that it
// returns; 0 if nothing tells.
func (a *audit) records() (end int64, err error) {
	if !a.s.sealed {
		return 0, a.search(a.s.scan())
	}
	a.table = newScan(a.s, a.s.tableEnd())
	if a.sound, err = a.tableSound(); err == nil {
		err = a.search(newScan(a.s, a.s.tableAt)) // behind the last entry there can be some that were truncated
	}
	if a.next < a.s.base+a.s.count {
		return 0, err // behind are entries that were truncated
	}
	return a.s.end, err
}

// tableSound reports whether the table is as it was written, and tells if it is not.
func (a *audit) tableSound() (bool, error) {
	if a.s.tableSum == 0 {
		return true, nil
	}
	sum, err := sumOfTable(a.s.file, a.s.tableAt, a.s.count)
	if err != nil || sum == a.s.tableSum {
		return err == nil, err
	}
	return false, a.damage(a.s.corrupt(a.s.base, a.s.tableAt, "segment's table of entries is damaged"), 0)
}

// sumOfTable is the checksum of a table, which is never 0.
func sumOfTable(file io.ReaderAt, at int64, entries uint64) (uint32, error) {
	sum := crc32.New(castagnoli)
	_, err := io.Copy(sum, io.NewSectionReader(file, at, tableSize(entries)))
	return max(1, sum.Sum32()), err
}

// search goes through the records in the order of the entries, wherever they stand.
func (a *audit) search(sc *scan) error {
	for a.due < a.next {
		at := sc.at
		r, ok, err := sc.step()
		if err == nil && !ok {
			return a.scattered(sc)
		}
		if err == nil {
			err = a.found(a.due, at, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// found tells of a record, and of what is damaged before it.
func (a *audit) found(index uint64, at int64, r record) error {
	err := a.skip(index, at)
	if err == nil {
		err = a.gap(index, at)
	}
	if err != nil {
		return err
	}
	a.due, a.at = index+1, at+r.record()
	if index < a.first {
		return nil
	}
	if r.lost() {
		return a.damage(a.s.lost(index, at), 1)
	}
	return a.entry(index, r.value)
}

// skip passes over entries that were truncated: nobody is told what is damaged of them. The first one that was not
// should be where the table has it.
func (a *audit) skip(index uint64, at int64) error {
	if a.due < a.first {
		if a.due = min(a.first, index); a.due == index {
			a.at = at
		}
	}
	if !a.sound || index != a.first {
		return nil
	}
	place, ok, err := a.place(index)
	if ok {
		a.at = place
	}
	return err
}

// gap tells of damage up to an entry and an offset, if there is any.
func (a *audit) gap(to uint64, at int64) error {
	if a.due < a.first {
		a.due = min(a.first, to)
		at = a.at // nobody is told where that ends
	}
	if to == a.due && at == a.at {
		return nil
	}
	reason := "bytes between two records are damaged"
	switch {
	case to == a.due+1:
		reason = "checksum does not match"
	case to > a.due:
		reason = fmt.Sprintf("checksums do not match up to entry %d", to-1)
	}
	return a.damage(a.s.corrupt(a.due, a.at, reason), to-a.due)
}
