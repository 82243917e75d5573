package commitlog

import "slices"

// end looks at what is behind the last entry.
func (in *inspection) end() {
	last := in.last()
	safe := uint64(0)
	if last != nil {
		safe = last.found.safe
	}
	if due := in.due(safe); due > max(in.next, in.promised) {
		in.miss(due, unlimited)
		in.promised = due
	}
	switch {
	case in.next < in.manifest.first && in.promised < in.manifest.first: // all of it was truncated
		if last.endsByRecords() {
			in.cutBehind(last, in.manifest.first)
		}
		if len(in.dropped) > 0 || in.cut.CutEntries > 0 { // what is behind has to be cut off first
			in.dropped = append(in.segments, in.dropped...)
		} else {
			in.doomed = append(in.doomed, in.segments...)
		}
		in.segments, in.next = nil, in.manifest.first
	case !last.endsByRecords():
	case in.promised > in.next:
		in.cutBehind(last, in.promised)
	default:
		for _, s := range slices.Backward(in.segments) {
			if !s.endsByRecords() || s.next() < in.next {
				break
			}
			in.cutOff(s, s.end)
		}
		in.dropEmpty()
	}
	in.promised = max(in.promised, in.next, in.manifest.first)
}

// dropEmpty drops segments without an entry at the log's end, of which something is cut off.
func (in *inspection) dropEmpty() {
	for s := in.last(); s != nil && !s.unreadable() && s.entries() == 0 && s.rest() == 0 && in.active() == nil; s = in.last() {
		in.segments, in.dropped = in.segments[:len(in.segments)-1], append([]*segment{s}, in.dropped...)
	}
}

// cutOff counts what is cut off a segment's file behind an offset.
func (in *inspection) cutOff(s *segment, from int64) {
	f := s.found
	truncated := s.next() >= in.manifest.until(s.number) && from > recordsStart
	if !f.surveyed || f.dirty <= from || truncated {
		return
	}
	in.cut.CutBytes += f.dirty - from
	in.cut.CutEntries += s.rest()
	if from == recordsStart {
		in.cut.CutEntries += s.entries()
	}
}

// cutBehind counts what a repair cuts off a damaged segment's file: what follows the entries
// that have to be there.
func (in *inspection) cutBehind(s *segment, due uint64) {
	n, at := s.intactFrom(due)
	if n > 0 {
		in.cut.CutEntries += n
		in.cut.CutBytes += s.found.dirty - at
	}
}

// active returns the segment to which entries can be added; nil if there is none. Behind
// what is cut off, or was truncated, or has another name than its own, a new one begins, and behind what might not
// be found again in a longer file.
func (in *inspection) active() *segment {
	s := in.last()
	if !s.endsByRecords() || !s.found.told || s.name != segmentName(s.number) || s.found.late || in.manifest.until(s.number) < unlimited || s.found.dirty > s.end || len(in.dropped) > 0 {
		return nil
	}
	return s
}

// cutsOff reports whether there is anything behind the log's end.
func (in *inspection) cutsOff() bool {
	s := in.last()
	return len(in.dropped) > 0 || s.endsByRecords() && s.until > in.next && s.found.dirty > s.end
}

// segmentEnd is the index behind the last entry that has to be in a segment.
func (in *inspection) segmentEnd(i int) uint64 {
	s, end := in.segments[i], uint64(0)
	switch {
	case s.sealed:
		return s.next()
	case i+1 == len(in.segments):
		end = max(in.promised, s.next())
	default:
		end = in.segments[i+1].base
	}
	return max(s.base, min(end, s.until))
}

// endsByRecords reports whether there is a segment of which the records alone tell where it ends.
func (s *segment) endsByRecords() bool { return s != nil && !s.sealed }
