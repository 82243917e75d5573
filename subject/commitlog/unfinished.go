package commitlog

import "fmt"

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
	if u.durable() && u.safe.Load() < u.turn.Next() {
		if err := u.flushAlone(); err != nil {
			return fmt.Errorf("write the log's end once more: %w", err)
		}
	}
	if u.unwritten {
		if err := writeManifest(u.dir, u.view.Load().manifest); err != nil {
			return fmt.Errorf("cut off the log's end: %w", err)
		}
		u.unwritten = false
	}
	if u.again != nil {
		u.takeLast(u.again)
		u.again = nil
	}
	u.rest.Store(false)
	return nil
}
