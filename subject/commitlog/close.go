package commitlog

import (
	"errors"
	"slices"
)

// Close implements [Log]. Appends that are under way are finished first, each
// with its promise. It flushes, whatever the Durability, seals what is full, and
// writes down where the end is, so that the next opening finds that a segment is gone
// or cut short, the last one included, or that a record of one that is not sealed is
// damaged. Damage within a sealed one is found by Get, when it reads the entry, and by
// Verify. Where opening had no space to make safe what was there, Close tries again:
// its error says that there is still none. Close of a log that has stopped returns the
// error that stopped it, and notes nothing of all this. What a truncation
// could not delete, Close tries to.
func (f *File) Close() error {
	unsafe := f.finish()
	if !f.shut() {
		return closeError(ErrClosed)
	}
	f.ticker.stop()
	f.roller.stop()
	f.roller.namer.stop()
	f.sealer.stop()
	err := both(unsafe, f.flushAll())
	defer f.roster.exclude()()
	if failed := f.failed.Load(); failed != nil && !errors.Is(err, *failed) {
		err = both(err, *failed)
	}
	if err == nil {
		err = f.end()
	}
	if err == nil && f.safe.Load() >= f.turn.Next() && !f.rest.Load() { // else, if it has stopped, the manifest may be newer than it knows
		err = ifNotFull(f.noteKnown())
	}
	err = both(err, both(f.removeGone(), f.dropSpares()))
	for _, s := range slices.Concat(f.view.Load().segments, f.dropped) {
		err = both(err, s.close())
	}
	f.news.Tell()
	if err = both(err, both(f.lock.Close(), f.dir.Close())); err != nil {
		return closeError(err)
	}
	return nil
}

// shut lets no append in any more, and nothing that changes the log's shape. It
// reports false if that was done before. Room is made, and the limit raised, by
// those who have the duty to and found the log open: so no limit is raised behind
// this one.
func (f *File) shut() bool {
	defer f.roster.exclude()()
	next := f.turn.Take()
	defer f.turn.Give(next)
	if f.view.Load().closed {
		return false
	}
	f.reshape(func(v *view) { v.closed = true })
	f.tail.limit = 0
	return true
}

// sealedAtClose is how many bytes of records make closing seal the last
// segment, so that the next opening does not have to read them.
const sealedAtClose = 1 << 20

// end leaves the log as it should be found: all that is full sealed, and nothing behind
// the last entry. It is safe without that: what there is no space for is left out.
func (f *File) end() error {
	full, err := f.oldest()
	for ; err == nil && full != nil; full, err = f.oldest() {
		if err := f.seal(full); err != nil {
			return ifNotFull(err)
		}
	}
	if err != nil {
		return ifNotFull(err)
	}
	s := f.tail.segment
	if s == nil {
		return nil
	}
	if s.end = f.tail.end; s.end > sealedAtClose {
		full, err := f.indexed(s)
		if err == nil {
			err = f.seal(full)
		}
		if ifNotFull(err) != nil || err == nil {
			return err
		}
	}
	if err := s.output.leaveDirect(s.end); err != nil {
		return err
	}
	return ifNotFull(s.file.Truncate(s.end))
}
