package commitlog

// Behind damage records can stand elsewhere than they should, or twice: pages can have changed places.

// scattered goes on behind the first damage, where a scan has stopped.
func (a *audit) scattered(sc *scan) error {
	var chains []chain
	alone, err := a.oneMissing(sc)
	if err == nil && !alone {
		chains, err = sc.chains(a.due, a.next)
	}
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

// oneMissing reports whether a sound table tells that a single entry of a segment is not in its place, or none: it is nowhere else,
// since all others have theirs.
func (a *audit) oneMissing(sc *scan) (bool, error) {
	if !a.sound || a.due < a.first || a.next < a.s.base+a.s.count { // it can have changed places with some that were truncated
		return false, nil
	}
	missing := 0
	for index := a.due; index < a.next; index++ {
		_, _, ok, err := a.inPlace(sc, index)
		if err != nil {
			return false, err
		}
		if !ok {
			missing++
		}
	}
	return missing < 2, nil
}

// inPlace reads the record of an entry where the table says that it is.
func (a *audit) inPlace(sc *scan, index uint64) (at int64, r record, ok bool, err error) {
	if at, ok, err = a.place(index); ok {
		r, ok, err = sc.read(at, index)
	}
	return at, r, ok, err
}

// place is where the table says that an entry is. It reports false if it does not.
func (a *audit) place(index uint64) (at int64, ok bool, err error) {
	if a.s.tableSum == 0 {
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
		at, r, ok, err := a.inPlace(sc, index)
		if ok {
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
