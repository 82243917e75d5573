package commitlog

import (
	"fmt"
	"slices"
)

// An unfinished is the second half of each opening, which writes: on a full disk, what is left of it. As long as
// it is not done no entry is added.
type unfinished struct {
	*flusher
}

// finish does what is left to do. It looks again once all others are excluded: the log may
// have been closed meanwhile, and another process may have the directory.
func (u *unfinished) finish() error {
	if !u.rest.Load() {
		return nil
	}
	defer u.roster.exclude()()
	if err := u.usable(); err != nil {
		return err
	}
	return u.orStop(u.finishAlone())
}

// finishAlone is finish while all others are excluded.
func (u *unfinished) finishAlone() error {
	if !u.rest.Load() {
		return nil
	}
	if err := u.secureTrailer(); err != nil { // before others are sealed behind that
		return fmt.Errorf("write the last trailer once more: %w", err)
	}
	if err := u.endOpening(); err != nil {
		return err
	}
	if err := u.secureOpened(); err != nil {
		return fmt.Errorf("write the log's end once more: %w", err)
	}
	if u.again != nil {
		u.takeLast(u.again)
		u.again = nil
	}
	u.rest.Store(false)
	return nil
}

// takeLast has entries added to a segment that was there before. Readers that have it keep
// it as it is.
func (u *unfinished) takeLast(s *segment) {
	last := s.like()
	last.found, last.unsure, last.offsets, last.end = s.found, s.unsure, s.offsets, s.end
	size := max(s.size.Load(), u.options.SegmentSize)
	if !u.mapped.Load() || last.remember(&u.options, size, true) != nil {
		u.mapped.Store(false)
		last.remember(&u.options, size, false)
	}
	last.size.Store(s.end) // zeros of another process may have become holes since, by a copy
	next := u.replace(s, last)
	u.follow(last)
	u.turn.Give(next)
}

// endOpening writes down where the log ends, and removes what is none of it.
func (u *unfinished) endOpening() (err error) {
	if u.ending {
		if err := u.endAt(u.turn.Next()); err != nil {
			return fmt.Errorf("cut off the log's end: %w", err)
		}
		u.ending = false
	}
	if len(u.dropped) == 0 {
		return nil
	}
	for _, s := range u.dropped {
		err = both(err, both(s.file.Close(), removeIfThere(u.dir, s.name)))
	}
	if u.dropped = nil; err != nil {
		return err
	}
	return flush(u.dir)
}

// secureOpened makes what a durable log shows safe.
func (u *unfinished) secureOpened() error {
	if !u.durable() {
		return nil
	}
	if u.again != nil {
		if err := u.again.secure(u.again.end); err != nil {
			return err
		}
	}
	err := u.flushAlone()
	u.gather = gather{} // nobody waited who could come back
	return err
}

// endAt writes down that the log ends before an index, in the files of now: what is behind
// was truncated, or a crash had left it.
func (u *unfinished) endAt(next uint64) error {
	m := u.view.Load().manifest.cutting(cut{next, u.number})
	m.known = max(min(m.known, next), min(u.safe.Load(), next))
	if err := writeManifest(u.dir, m); err != nil {
		return err
	}
	u.show(u.turn.Next(), func(v *view) { v.manifest = m })
	return nil
}

// secureTrailer writes the last trailer that opening has found once more, and flushes it: a
// crash may have come before its flush, or that have failed. Those before it were safe when it
// was written.
func (u *unfinished) secureTrailer() error {
	for _, s := range slices.Backward(u.view.Load().segments) {
		if s.sealed {
			return s.secureTrailer(u.dir)
		}
	}
	return nil
}
