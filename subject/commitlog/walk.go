package commitlog

import (
	"fmt"
	"slices"
)

// walk goes through the segments up to the log's end.
func (in *inspection) walk(all []*segment) error {
	for i, s := range all {
		if in.leaveEmpty(s) {
			continue
		}
		if !s.found.told {
			if err := in.settleBase(s); err != nil {
				return err
			}
			if s.base > in.next && s.base >= s.until { // its own entries say so
				in.doomed = append(in.doomed, s)
				continue
			}
		}
		in.dropTruncated(s.base)
		if last := in.last(); s.base > in.next || s.found.headless && last.endsByRecords() {
			if ended, err := in.gap(all, i); err != nil || ended {
				return err
			}
		}
		in.segments = append(in.segments, s)
		if err := in.add(s, all[i+1:]); err != nil {
			return err
		}
	}
	return in.end()
}

// leaveEmpty leaves out a file that can have no entry of the log, as none is missing before the next: one that was made for
// entries to come, and one without headers, which a repair keeps aside.
func (in *inspection) leaveEmpty(s *segment) bool {
	last := in.last()
	switch {
	case s.until > in.next:
	case s.found.spare:
		in.doomed = append(in.doomed, s)
		return true
	case s.found.headless && (last == nil || !last.found.headless): // that is said to have all up to the next
		in.report(s.corrupt(in.next, -1, s.found.flaw))
		in.strays = append(in.strays, s)
		return true
	}
	return false
}

// dropTruncated leaves out all segments so far if the next one begins behind them, and no later than the log: what
// is missing between them was truncated, too.
func (in *inspection) dropTruncated(base uint64) {
	if base > in.next && max(base, in.reached()) <= in.manifest.first {
		in.doomed = append(in.doomed, in.segments...)
		in.segments, in.next = nil, base
	}
}

// add goes to the end of a segment, which those behind it tell if it does not itself: where
// none tells its base, their entries will.
func (in *inspection) add(s *segment, behind []*segment) error {
	if s.found.headless {
		in.report(s.corrupt(s.base, 0, s.found.flaw))
		i := slices.IndexFunc(behind, func(b *segment) bool { return !b.found.headless })
		switch {
		case i < 0:
			in.next = max(in.next, min(in.manifest.known, s.until))
		case behind[i].found.told:
			in.next = max(in.next, min(behind[i].base, s.until))
		}
		in.promised = max(in.promised, in.next, baseAfter(behind))
		return nil
	}
	if !s.sealed {
		if err := s.survey(in.manifest, in.distrusted); err != nil {
			return err
		}
	}
	in.next = s.next()
	return nil
}

// baseAfter is the base of the first segment that tells one; 0 if there is none.
func baseAfter(behind []*segment) uint64 {
	for _, s := range behind {
		if s.found.told {
			return s.base
		}
	}
	return 0
}

// gap deals with entries that are missing before segment i. If something says that they had
// been flushed, that is damage; else a crash was allowed to take them, and the log ends
// there. A file is never gone by a crash: its name was safe before its first entry.
func (in *inspection) gap(all []*segment, i int) (ended bool, err error) {
	safe, err := in.vouched(all[i:])
	if err != nil {
		return false, err
	}
	last := in.last()
	if last == nil || last.sealed || last.found.headless || in.distrusted {
		safe = max(safe, all[i].base)
		if all[i].found.headless {
			safe = max(safe, baseAfter(all[i:]))
		}
	} else {
		safe = max(safe, last.found.safe)
	}
	due := in.due(last, safe)
	if s := all[i]; s.found.headless {
		reached := in.reached()
		if reached > in.next {
			in.miss(last, in.next, reached, max(1, s.number)-1)
			in.next, s.base = reached, reached
			return false, nil
		}
		if due > in.next {
			return false, nil // that will be told
		}
	}
	if due > in.next {
		in.miss(last, in.next, min(due, all[i].base), max(1, all[i].number)-1)
		if due >= all[i].base {
			in.next = all[i].base
			return false, nil
		}
		in.promised = due
	}
	in.dropped = all[i:]
	for _, s := range in.dropped {
		if s.found.headless {
			in.report(s.corrupt(in.next, 0, s.found.flaw))
		} else if err := in.surveyDropped(s); err != nil {
			return false, err
		}
		in.cutOff(s, recordsStart)
	}
	return true, in.end()
}

// surveyDropped looks for the entries of a segment behind the log's end that vouched has left out, since it does
// not tell its base.
func (in *inspection) surveyDropped(s *segment) error {
	if s.sealed || s.found.surveyed {
		return nil
	}
	if err := in.settleBase(s); err != nil {
		return err
	}
	return s.survey(in.manifest, in.distrusted)
}

// miss reports entries that are not there, behind the segment with the one before: a file
// that had this number, or damage to that segment.
func (in *inspection) miss(s *segment, from, to, number uint64) {
	if !s.endsByRecords() {
		in.report(&CorruptError{Path: in.dir.Path(segmentName(number)), Index: from, Entries: to - from, Offset: -1,
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
		case s.found.told, i == 0 && !s.found.headless: // of the first the base is settled
			if err := s.survey(in.manifest, in.distrusted); err != nil {
				return safe, err
			}
			safe = max(safe, s.found.safe)
		}
	}
	return safe, nil
}

// due is the index behind the last entry that has to be there, of those up to the end of a
// segment, if the entries below safe had been flushed.
func (in *inspection) due(last *segment, safe uint64) uint64 {
	due := max(safe, in.manifest.known)
	if in.distrusted { // it is no crash that took the manifest
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
