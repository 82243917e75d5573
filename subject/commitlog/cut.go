package commitlog

import "slices"

// A cutter truncates the log at either end. All others are excluded.
type cutter struct {
	*unfinished
	gone []string // files that truncations could not remove
}

// dropPrefix does without the flush on a full disk: it gives space back.
func (t *cutter) dropPrefix(first uint64) error {
	err := t.endOpening()
	if err == nil {
		err = ifNotFull(t.flushAlone())
	}
	if err == nil && first > t.turn.Next() { // what waited to be written had no space
		err = ErrNotFound
	}
	if err != nil {
		return err
	}
	if first > t.view.Load().manifest.first {
		err = t.raiseFirst(first)
	}
	return both(err, t.removeGone())
}

// raiseFirst takes the entries below first out of the log, and leaves the files that
// hold nothing else to removeGone.
func (t *cutter) raiseFirst(first uint64) (err error) {
	m := t.view.Load().manifest
	m.first = first
	m.known = max(m.known, t.safe.Load())
	if err := writeManifest(t.dir, m); err != nil {
		return err
	}
	segments := t.view.Load().segments
	n := 0
	for n < len(segments) && segments[n] != t.tail.segment && segments[n].next() <= first {
		n++
	}
	raise(&t.safe, first)
	t.show(t.turn.Next(), func(v *view) {
		v.manifest, v.segments = m, slices.Clone(segments[n:]) // the others are to be let go
	})
	if n > 0 {
		t.letGo = collections
	}
	for _, s := range segments[:n] {
		if s == t.again {
			t.again = nil
		}
		t.gone = append(t.gone, s.name)
		err = both(err, s.close())
	}
	return err
}

// removeGone removes the files that hold nothing of the log any more. One that stays
// does not keep the others, and is tried again the next time.
func (t *cutter) removeGone() (err error) {
	t.gone = slices.DeleteFunc(t.gone, func(name string) bool {
		refused := removeIfThere(t.dir, name)
		err = both(err, refused)
		return refused == nil
	})
	return err
}

// dropSuffix writes down where the log ends, and that what is behind that in the files of
// now was truncated: these stay as they are, and the next entry goes into a new one. What
// holds nothing else is left to removeGone.
func (t *cutter) dropSuffix(next uint64) error {
	if next < t.view.Load().manifest.first {
		return ErrTruncated
	}
	if err := both(t.finishAlone(), t.flushAlone()); err != nil {
		return err
	}
	if next == t.turn.Next() {
		return both(t.noteKnown(), t.removeGone())
	}
	if err := t.endAt(next); err != nil {
		return err
	}
	segments := t.view.Load().segments
	n := len(segments)
	for n > 0 && segments[n-1].base >= next {
		n--
	}
	kept := slices.Clone(segments[:n])
	if n > 0 {
		kept[n-1] = segments[n-1].before(next, t.endOf(segments[n-1]))
	}
	t.safe.Store(next)
	t.shown.Store(next)
	t.show(next, func(v *view) {
		t.tail.segment, t.tail.memory, t.tail.limit = nil, nil, 0
		t.tail.flagged = min(t.tail.flagged, next)
		v.segments = kept
		v.cuts = append(v.cuts, next) // behind what other views have of it
	})
	for _, s := range segments[n:] {
		t.gone = append(t.gone, s.name)
		s.close() // nothing in it counts any more
	}
	return t.removeGone()
}

// before returns the segment, whose records end at an offset, as it is for who needs only
// the entries below next.
func (s *segment) before(next uint64, end int64) *segment {
	if s.sealed && s.next() <= next {
		return s
	}
	cut := s.like()
	cut.until, cut.memory, cut.output, cut.end = next, s.memory, s.output, end
	cut.sealed, cut.count, cut.stride, cut.tableAt, cut.tableSum, cut.offsets = s.sealed, s.count, s.stride, s.tableAt, s.tableSum, s.offsets
	cut.size.Store(s.size.Load())
	return cut
}

// noteKnown writes into the manifest that all entries are safe, as a truncation that
// leaves them all promises.
func (t *cutter) noteKnown() error {
	m, next := t.view.Load().manifest, t.turn.Next()
	if m.known >= next {
		return nil
	}
	m.known = next
	if err := writeManifest(t.dir, m); err != nil {
		return err
	}
	t.show(next, func(v *view) { v.manifest = m })
	return nil
}

// endOf is where the records of a segment end. Nobody appends.
func (t *cutter) endOf(s *segment) int64 {
	if s == t.tail.segment {
		return t.tail.end
	}
	return s.end
}
