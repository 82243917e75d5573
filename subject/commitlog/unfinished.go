package commitlog

import (
	"fmt"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// An unfinished is what opening may have had no space for. As long as it is not done no
// entry is added.
type unfinished struct {
	*core
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
	if err := u.secureOpened(); err != nil {
		return fmt.Errorf("write the log's end once more: %w", err)
	}
	if u.ending {
		if err := u.endAt(u.turn.Next()); err != nil {
			return fmt.Errorf("cut off the log's end: %w", err)
		}
		u.ending = false
	}
	if err := u.removeDropped(); err != nil {
		return err
	}
	if u.again != nil {
		u.takeLast(u.again)
		u.again = nil
	}
	u.rest.Store(false)
	return nil
}

// secureOpened makes what a durable log shows safe.
func (u *unfinished) secureOpened() error {
	if !u.durable() {
		return nil
	}
	if u.again != nil {
		if err := u.again.secure(); err != nil {
			return err
		}
	}
	if u.safe.Load() >= u.turn.Next() {
		return nil
	}
	return u.flushAlone()
}

// endAt writes down that the log ends before an index, in the files of now: what is behind
// was truncated, or a crash had left it. As the manifest has one such place only, what was cut
// before that is sealed, which keeps where it ends.
func (u *unfinished) endAt(next uint64) error {
	if err := u.sealCuts(next); err != nil {
		return err
	}
	m := u.view.Load().manifest
	m.cut, m.since, m.known = next, u.number, max(min(m.known, next), min(u.safe.Load(), next))
	if err := writeManifest(u.dir, m); err != nil {
		return err
	}
	u.show(u.turn.Next(), func(v *view) { v.manifest = m })
	return nil
}

// sealCuts seals the segments that were cut before an index, and in order those before them.
func (u *unfinished) sealCuts(next uint64) error {
	segments, n := u.view.Load().segments, 0
	tooLong := func(s *segment) bool { return s.until < s.base+s.entries() }
	for i, s := range segments {
		if s.until < next && (!s.sealed || tooLong(s)) {
			n = i + 1
		}
	}
	for _, s := range segments[:n] {
		if !s.sealed || tooLong(s) {
			if err := u.sealNow(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// sealNow seals a segment while all others are excluded; those before it are sealed.
func (u *unfinished) sealNow(s *segment) error {
	sealed, err := s.sealWhole(u.dir)
	if err != nil {
		return err
	}
	next := u.replace(s, sealed)
	raise(&u.safe, sealed.next())
	u.turn.Give(next)
	return sealed.letGo().Close()
}

// sealWhole seals a segment from whatever it is.
func (s *segment) sealWhole(dir disk.Dir) (full *segment, err error) {
	if s.sealed {
		return s.shorten(dir)
	}
	if err = s.secure(); err != nil {
		return nil, err
	}
	if full = s; s.offsets != nil {
		if full, err = s.index(); err != nil {
			return nil, err
		}
	}
	return full.seal()
}

// removeDropped removes what is behind the log's end.
func (u *unfinished) removeDropped() (err error) {
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
