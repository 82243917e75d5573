package commitlog

import (
	"fmt"
	"io"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// TruncatePrefix removes the entries below first; indexes stay as they are.
// first may be Next, which empties the log. When it returns nil the entries
// are gone for good, whatever the Durability. Segments that hold nothing else
// are deleted.
//
// An index below First does nothing; one behind Next is ErrNotFound.
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
	if err == nil && index > f.turn.next() {
		err = ErrNotFound
	}
	if err == nil && f.safe.Load() < f.turn.next() {
		err = f.flushNow() // then nothing waits to be written
	}
	if err == nil {
		err = f.orStop(drop(index))
	}
	f.resume()
	f.news.tell()
	return err
}

// halt makes every append wait for f.building, which is held.
func (f *File) halt() error {
	next := f.turn.take()
	defer f.turn.give(next)
	f.tail.limit = 0
	return f.usable()
}

// resume lets appends in again, if they may come.
func (f *File) resume() {
	next := f.turn.take()
	defer f.turn.give(next)
	if t := &f.tail; t.segment != nil && f.usable() == nil {
		t.limit = f.limitOf(t.segment)
	}
}

func (f *File) dropPrefix(first uint64) error {
	m := f.view.Load().manifest
	if first <= m.first {
		return nil
	}
	m.first = first
	if err := writeManifest(f.dir, m); err != nil {
		return err
	}
	segments := f.view.Load().segments
	n := 0
	for n < len(segments) && segments[n] != f.tail.segment && segments[n].next() <= first {
		n++
	}
	f.show(f.turn.next(), func(v *view) {
		v.manifest, v.segments = m, segments[n:]
		f.tail.dirty = slices.DeleteFunc(slices.Clone(f.tail.dirty), func(s *segment) bool { return slices.Contains(segments[:n], s) })
	})
	for _, gone := range segments[:n] {
		if err := f.remove(gone); err != nil {
			return err
		}
	}
	return nil
}

// show shows readers another view, in which the entries end before next.
func (f *File) show(next uint64, change func(v *view)) {
	f.turn.take()
	f.turn.show(next) // first, so that no reader looks for an entry where it is not
	f.reshape(change)
	f.turn.give(next)
}

// clearShelves has readers ask again where the log ends. A view's shelves show
// entries without that, and it is about to lie before some of them.
func (f *File) clearShelves() {
	next := f.turn.take()
	v := *f.view.Load()
	v.shelves = noShelves
	f.view.Store(&v)
	f.turn.give(next)
}

// remove deletes a segment, if it is still there.
func (f *File) remove(s *segment) error {
	return both(removeIfThere(f.dir, segmentName(s.base)), s.close())
}

// dropSuffix makes what is left of the segment that is cut in two, which a full disk
// may have no space for, and then writes down what it is about to do, so that
// opening the log can finish it. An error behind that point stops the log: half of
// it may have been done.
func (f *File) dropSuffix(next uint64) error {
	m := f.view.Load().manifest
	if next < m.first {
		return ErrTruncated
	}
	if next == f.turn.next() {
		return nil
	}
	left, err := f.leftOf(next)
	if err != nil {
		return err
	}
	intent := m
	intent.limit = next
	if err := writeManifest(f.dir, intent); err != nil {
		return both(err, f.dropLeft(left))
	}
	if err := f.cutOff(next, left); err != nil {
		return f.stop(err)
	}
	if err := writeManifest(f.dir, m); err != nil {
		return f.stop(err)
	}
	return nil
}

// leftOf returns what is left of the segment with the last entry below next, in a
// file of its own that is safe but for its name; nil if that is all of a sealed
// segment, or there is none.
func (f *File) leftOf(next uint64) (*segment, error) {
	segments := f.view.Load().segments
	n := segmentsBefore(segments, next)
	if n == 0 || segments[n-1].sealed && segments[n-1].next() == next {
		return nil, nil
	}
	file, err := createAnew(f.dir, newSegmentName)
	if err != nil {
		return nil, err
	}
	whole := segments[n-1]
	left := newSegment(whole.header, file, whole.path)
	if err := left.copyBelow(next, whole, f.endOf(whole)); err != nil {
		return nil, both(err, f.dropLeft(left))
	}
	left.mapRoom(max(left.size.Load(), f.options.SegmentSize))
	return left, nil
}

// segmentsBefore is how many segments have entries below next.
func segmentsBefore(segments []*segment, next uint64) int {
	n := len(segments)
	for n > 0 && segments[n-1].base >= next {
		n--
	}
	return n
}

// endOf is where the records of a segment end. Nobody appends.
func (f *File) endOf(s *segment) int64 {
	if s == f.tail.segment {
		return f.tail.end
	}
	return s.end
}

// dropLeft removes what leftOf has made.
func (f *File) dropLeft(left *segment) error {
	if left == nil {
		return nil
	}
	return both(left.file.Close(), f.dir.Remove(newSegmentName))
}

// copyBelow makes the segment's records those of the entries below next of another,
// whose records end before limit. Readers keep that one, as it is, for as long as
// they have it.
func (s *segment) copyBelow(next uint64, whole *segment, limit int64) error {
	if _, err := s.collect(newScan(whole, whole.header, limit), next); err != nil {
		return err
	}
	if s.next() != next {
		return whole.corrupt(s.next(), s.end, "checksum does not match")
	}
	if _, err := io.Copy(&disk.Appender{File: s.file}, io.NewSectionReader(whole, 0, s.end)); err != nil {
		return err
	}
	s.size.Store(s.end)
	return s.endTruncated()
}

// cutOff removes the entries from next on. What is left of the segment that is cut
// in two takes its place; appends go on there.
func (f *File) cutOff(next uint64, left *segment) error {
	segments := f.view.Load().segments
	n := segmentsBefore(segments, next)
	kept := slices.Clone(segments[:n])
	if left != nil {
		kept[n-1] = left
	}
	f.clearShelves()
	f.safe.Store(next)
	f.show(next, func(v *view) {
		t := &f.tail
		t.segment, t.dirty, t.marked, t.sealed = nil, nil, next, min(t.sealed, next)
		v.segments = kept
		v.cuts = append(slices.Clip(v.cuts), next)
		if left != nil {
			t.sealed = min(t.sealed, left.base)
			f.follow(left)
		}
		t.limit = 0 // for as long as this takes
	})
	if left != nil {
		if err := f.swap(segments[n-1], left); err != nil {
			return err
		}
	}
	for i := len(segments) - 1; i >= n; i-- {
		if err := f.remove(segments[i]); err != nil {
			return err
		}
	}
	return flush(f.dir)
}

// swap puts what is left of a segment in its place. Its file is closed before: not
// every system lets go of the name of one that is open.
func (f *File) swap(whole, left *segment) error {
	if err := whole.close(); err != nil {
		return err
	}
	return f.dir.Rename(newSegmentName, segmentName(left.base))
}
