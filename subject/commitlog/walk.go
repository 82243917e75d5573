package commitlog

import "fmt"

// walk goes through the segments up to the log's end.
func (in *inspection) walk(all []*segment) error {
	for i, s := range all {
		gone, err := in.isGone(s)
		if err != nil {
			return err
		}
		if gone {
			in.doomed = append(in.doomed, s)
			continue
		}
		in.dropTruncated(s.base)
		if s.base > in.next {
			if ended, err := in.gap(all, i); err != nil || ended {
				return err
			}
		}
		in.segments = append(in.segments, s)
		if err := in.survey(s); err != nil {
			return err
		}
		if s.unreadable() {
			in.report(s.corrupt(s.base, 0, s.found.flaw))
		}
		in.next = s.next()
	}
	in.end()
	return nil
}

// isGone reports whether a segment has nothing: it was made for entries to come, and none is missing before the next; or it does
// not tell its base, which is found then, and all that it can have was truncated: its own entries say so,
// or there are none, and none is missing before them.
func (in *inspection) isGone(s *segment) (bool, error) {
	if empty := s.found.spare && s.until <= in.next; empty || s.found.told {
		return empty, nil
	}
	if err := in.settleBase(s); err != nil {
		return false, err
	}
	if s.base < s.until || s.base > in.next {
		return s.base >= s.until, nil
	}
	err := in.survey(s)
	return s.unreadable(), err
}

// dropTruncated leaves out all segments so far if the next one begins behind them, and no later than the log: what
// is missing between them was truncated, too.
func (in *inspection) dropTruncated(base uint64) {
	if base > in.next && max(base, in.reached()) <= in.manifest.first {
		in.doomed = append(in.doomed, in.segments...)
		in.segments, in.next = nil, base
	}
}

// unreadable reports whether a segment lost its header by damage, and all else that would tell what it held.
func (s *segment) unreadable() bool { return s.found.struck && !s.sealed && !s.found.legible }

// gap deals with entries that are missing before segment i. If something says that they had
// been flushed, that is damage; else a crash was allowed to take them, and the log ends
// there. A file is never gone by a crash: its name was safe before its first entry.
func (in *inspection) gap(all []*segment, i int) (ended bool, err error) {
	safe, err := in.vouched(all[i:])
	if err != nil {
		return false, err
	}
	last := in.last()
	if last == nil || last.sealed || last.found.struck || in.distrusted {
		safe = max(safe, all[i].base)
	} else {
		safe = max(safe, last.found.safe)
	}
	due := in.due(safe)
	if due > in.next {
		in.miss(min(due, all[i].base), all[i].number)
		if due >= all[i].base {
			in.next = all[i].base
			return false, nil
		}
		in.promised = due
	}
	in.dropped = all[i:]
	for _, s := range in.dropped {
		if !s.sealed && !s.found.surveyed { // vouched has left it out, since it does not tell its base
			if err := in.settleBase(s); err != nil {
				return false, err
			}
		}
		if err := in.survey(s); err != nil {
			return false, err
		}
		in.cutOff(s, recordsStart)
	}
	in.end()
	return true, nil
}

// miss reports the entries up to another that are not there behind the last segment: a file, or damage to that segment. Where there
// is none it is the file before a number, or, behind which there is none either, one of which the manifest alone tells.
func (in *inspection) miss(to, number uint64) {
	s, from := in.last(), in.next
	if !s.endsByRecords() {
		name := manifestName
		switch {
		case s != nil:
			name = segmentName(in.manifest.numberFor(s.number+1, to))
		case number < unlimited:
			name = segmentName(max(1, number) - 1)
		}
		in.report(&CorruptError{Path: in.dir.Path(name), Index: from, Entries: to - from, Offset: -1,
			Reason: fmt.Sprintf("entries %d to %d are missing", from, to-1)})
		return
	}
	hole := s.corrupt(from, s.end, fmt.Sprintf("entries up to %d had been flushed to the disk", to-1))
	hole.Entries = to - from
	in.holes = append(in.holes, hole)
}

// vouched looks through segments for what says that entries in them, or before
// them, had been flushed.
func (in *inspection) vouched(segments []*segment) (safe uint64, err error) {
	for i, s := range segments {
		switch {
		case s.sealed:
			safe = max(safe, s.next())
		case s.found.told, i == 0: // of the first the base is settled
			if err := in.survey(s); err != nil {
				return safe, err
			}
			safe = max(safe, s.found.safe)
		}
	}
	return safe, nil
}

// due is the index behind the last entry that has to be there, of those up to the end of the last
// segment, if the entries below safe had been flushed.
func (in *inspection) due(safe uint64) uint64 {
	last, due := in.last(), max(safe, in.manifest.known)
	if in.distrusted || last != nil && last.found.struck { // it is no crash that took the manifest, or a header
		due = max(due, in.reached())
	}
	if due <= in.manifest.first {
		return 0
	}
	if !last.endsByRecords() || due <= in.next {
		return due
	}
	return last.reach(due)
}
