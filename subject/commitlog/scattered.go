package commitlog

import "slices"

// Behind damage records can stand elsewhere than they should, or twice: pages can have changed places.

// scattered goes on behind the first damage, where a scan has stopped.
func (a *audit) scattered(sc *scan) error {
	chains, err := a.chains(sc)
	for _, c := range chains {
		if err == nil {
			err = a.byTable(sc, c.first)
		}
		if err == nil {
			err = a.foundFrom(sc, c)
		}
	}
	if err == nil {
		err = a.byTable(sc, a.next)
	}
	return err
}

// chains are those of the entries that are due, from the first damage on. Where the table tells that a single one is not in
// its place it is nowhere else: what stands in its place has its size.
func (a *audit) chains(sc *scan) (all []chain, err error) {
	if a.sound {
		if missing, err := a.missing(sc); missing < 2 || err != nil {
			return nil, err
		}
	}
	all, err = sc.chains(a.isDue)
	if err == nil && a.table != nil && !a.sound && !complete(all, a.due, a.next) { // a page of the table can have one's place
		sc.limit, sc.sums = a.s.scan().limit, nil
		sc.at, sc.next = a.s.end, a.due
		var more []chain
		more, err = sc.chains(a.isDue)
		all = append(all, more...)
		slices.SortStableFunc(all, inEntryOrder)
	}
	return all, err
}

func (a *audit) isDue(index uint64, _ record) bool { return index >= a.due && index < a.next }

// complete reports whether chains have all entries from one up to another.
func complete(chains []chain, from, to uint64) bool {
	for _, c := range chains {
		if c.first > from {
			break
		}
		from = max(from, c.next)
	}
	return from >= to
}

// missing counts the entries that are due and not in their places.
func (a *audit) missing(sc *scan) (n int, err error) {
	for index := max(a.due, a.first); index < a.next && err == nil; index++ {
		var at int64
		var ok bool
		if at, ok, err = a.place(index); ok {
			_, ok, err = sc.read(at, index)
		}
		if !ok {
			n++
		}
	}
	return n, err
}

// place is where the table says that an entry is. It reports false if there is none, or it does not.
func (a *audit) place(index uint64) (at int64, ok bool, err error) {
	switch {
	case a.table == nil || index >= a.s.base+a.s.count:
		return 0, false, nil
	case a.s.tableSum == 0:
		return recordsStart + int64(index-a.s.base)*a.s.stride, true, nil
	}
	b, err := a.table.peek(a.s.tableAt+tableSize(index-a.s.base), 4)
	if err != nil || len(b) < 4 {
		return 0, false, err
	}
	return int64(sumOf(b)), true, nil
}

// byTable looks for the entries up to another that are still due where the table says that they are: one can stand there alone,
// whether or not the table is sound.
func (a *audit) byTable(sc *scan, to uint64) error {
	for index := max(a.due, a.first); a.table != nil && index < to; index++ {
		at, ok, err := a.place(index)
		if !ok && err == nil {
			continue
		}
		var r record
		if err == nil {
			r, ok, err = sc.read(at, index)
		}
		if err == nil && ok {
			err = a.found(index, at, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// foundFrom tells of the entries of a chain that are still due.
func (a *audit) foundFrom(sc *scan, c chain) error {
	for sc.at, sc.next = c.at, c.first; sc.next < c.next; {
		at, index := sc.at, sc.next
		r, ok, err := sc.step()
		if err == nil && ok && index >= a.due {
			err = a.found(index, at, r)
		}
		if err != nil || !ok {
			return err
		}
	}
	return nil
}
