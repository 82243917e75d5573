package commitlog

import (
	"fmt"
	"slices"
)

// TruncatePrefix removes the entries below first; indexes stay as they are.
// first may be Next, which empties the log. When it returns nil the entries
// are gone for good, whatever the Durability. Segments that hold nothing else
// are deleted. If some cannot be, the error says so: the entries are gone all the same,
// and each TruncatePrefix, whatever its index, Close, and the next opening try again.
//
// An index up to First does nothing else; one behind Next is ErrNotFound.
func (f *File) TruncatePrefix(first uint64) error {
	if err := f.truncate(first, f.dropPrefix); err != nil {
		return fmt.Errorf("truncate before entry %d: %w", first, err)
	}
	return nil
}

// TruncateSuffix removes the entries from next on; the next append gets that
// index. It is atomic: after a crash all of them are there or none. When it
// returns nil they are gone for good, whatever the Durability, and what is left
// survives a power cut.
//
// next may be Next, which removes nothing: what is there survives a power cut then.
//
// An index behind Next, or below First, is ErrNotFound.
func (f *File) TruncateSuffix(next uint64) error {
	if err := f.truncate(next, f.dropSuffix); err != nil {
		return fmt.Errorf("truncate from entry %d: %w", next, err)
	}
	return nil
}

// truncate keeps everybody else out while drop changes the log.
func (f *File) truncate(index uint64, drop func(uint64) error) error {
	defer f.exclude()()
	err := f.halt()
	if err == nil && index > f.turn.Next() {
		err = ErrNotFound
	}
	if err == nil && f.safe.Load() < f.turn.Next() {
		err = f.flushNow() // then nothing waits to be written
	}
	if err == nil {
		err = f.orStop(drop(index))
	}
	f.resume()
	f.news.Tell()
	return err
}

// halt makes every append wait for f.building, which is held.
func (f *File) halt() error {
	next := f.turn.Take()
	defer f.turn.Give(next)
	f.tail.limit = 0
	return f.usable()
}

// resume lets appends in again, if they may come.
func (f *File) resume() {
	next := f.turn.Take()
	defer f.turn.Give(next)
	if t := &f.tail; t.segment != nil && f.usable() == nil {
		t.limit = f.limitOf(t.segment)
	}
}

func (f *File) dropPrefix(first uint64) error {
	var err error
	if first > f.First() {
		err = f.raiseFirst(first)
	}
	return both(err, f.removeGone())
}

// raiseFirst takes the entries below first out of the log, and leaves the files that
// hold nothing else to removeGone.
func (f *File) raiseFirst(first uint64) (err error) {
	m := f.view.Load().manifest
	m.first = first
	if !f.rest.Load() { // else opening had no space to make the end safe
		m.known = f.turn.Next() // all below were flushed
	}
	if err := writeManifest(f.dir, m); err != nil {
		return err
	}
	segments := f.view.Load().segments
	n := 0
	for n < len(segments) && segments[n] != f.tail.segment && segments[n].next() <= first {
		n++
	}
	f.show(f.turn.Next(), func(v *view) {
		v.manifest, v.segments = m, segments[n:]
		f.tail.dirty = slices.DeleteFunc(slices.Clone(f.tail.dirty), func(s *segment) bool { return slices.Contains(segments[:n], s) })
	})
	for _, s := range segments[:n] {
		f.gone = append(f.gone, segmentName(s.base))
		err = both(err, s.close())
	}
	return err
}

// removeGone removes the files that hold nothing of the log any more. One that stays
// does not keep the others, and is tried again the next time.
func (f *File) removeGone() (err error) {
	f.gone = slices.DeleteFunc(f.gone, func(name string) bool {
		refused := removeIfThere(f.dir, name)
		err = both(err, refused)
		return refused == nil
	})
	return err
}

// show shows readers another view, in which the entries end before next.
func (f *File) show(next uint64, change func(v *view)) {
	f.turn.Take()
	f.turn.Show(next) // first, so that no reader looks for an entry where it is not
	f.reshape(change)
	f.turn.Give(next)
}

// clearShelves has readers ask again where the log ends. A view's shelves show
// entries without that, and it is about to lie before some of them.
func (f *File) clearShelves() {
	next := f.turn.Take()
	v := *f.view.Load()
	v.shelves = noShelves
	f.view.Store(&v)
	f.turn.Give(next)
}

// remove deletes a segment, if it is still there.
func (f *File) remove(s *segment) error {
	return both(removeIfThere(f.dir, segmentName(s.base)), s.close())
}
