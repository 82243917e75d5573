package commitlog

import (
	"io"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A cutter truncates the log at either end. All others are excluded.
type cutter struct {
	*core
	*unfinished
	gone []string // files that truncations of the prefix could not remove
}

func (t *cutter) dropPrefix(first uint64) error {
	var err error
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
	if !t.rest.Load() { // else opening had no space to make the end safe
		m.known = t.turn.Next() // all below were flushed
	}
	if err := writeManifest(t.dir, m); err != nil {
		return err
	}
	segments := t.view.Load().segments
	n := 0
	for n < len(segments) && segments[n] != t.tail.segment && segments[n].next() <= first {
		n++
	}
	t.show(t.turn.Next(), func(v *view) {
		v.manifest, v.segments = m, segments[n:]
	})
	for _, s := range segments[:n] {
		t.gone = append(t.gone, segmentName(s.base))
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

// remove deletes a segment, if it is still there.
func (t *cutter) remove(s *segment) error {
	return both(removeIfThere(t.dir, segmentName(s.base)), s.close())
}

// dropSuffix makes what is left of the segment that is cut in two, which a full disk
// may have no space for, and then writes down what it is about to do, so that
// opening the log can finish it. An error behind that point stops the log: half of
// it may have been done. Only the last step can be tried again, to write down that it
// is done: the append that comes next does so.
func (t *cutter) dropSuffix(next uint64) error {
	intent := t.view.Load().manifest
	if next < intent.first {
		return ErrTruncated
	}
	if err := t.secureRest(); err != nil {
		return err
	}
	if next == t.turn.Next() {
		return t.noteKnown()
	}
	left, err := t.leftOf(next)
	if err != nil {
		return err
	}
	intent.known, intent.limit = next, next // all below were flushed
	if err := writeManifest(t.dir, intent); err != nil {
		return both(err, t.dropLeft(left))
	}
	if err := t.cutOff(intent, left); err != nil {
		return t.fail(err)
	}
	t.rest.Store(true)
	if err := t.secureRest(); isFlushError(err) {
		return err
	}
	return nil
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

// leftOf returns what is left of the segment with the last entry below next, in a
// file of its own that is safe but for its name; nil if that is all of a sealed
// segment, or there is none.
func (t *cutter) leftOf(next uint64) (*segment, error) {
	segments := t.view.Load().segments
	n := segmentsBefore(segments, next)
	if n == 0 || segments[n-1].sealed && segments[n-1].next() == next {
		return nil, nil
	}
	file, err := createAnew(t.dir, newSegmentName)
	if err != nil {
		return nil, err
	}
	whole := segments[n-1]
	left := newSegment(whole.header, file, whole.path)
	if err := left.copyBelow(next, whole, t.endOf(whole)); err != nil {
		return nil, both(err, t.dropLeft(left))
	}
	if err := left.remember(&t.options, max(left.size.Load(), t.options.SegmentSize), t.mapped); err != nil {
		return nil, both(err, t.dropLeft(left))
	}
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
func (t *cutter) endOf(s *segment) int64 {
	if s == t.tail.segment {
		return t.tail.end
	}
	return s.end
}

// dropLeft removes what leftOf has made.
func (t *cutter) dropLeft(left *segment) error {
	if left == nil {
		return nil
	}
	return both(left.file.Close(), t.dir.Remove(newSegmentName))
}

// copyBelow makes the segment's records those of the entries below next of another,
// whose records end before limit. Readers keep that one, as it is, for as long as
// they have it.
func (s *segment) copyBelow(next uint64, whole *segment, limit int64) error {
	if _, err := s.collect(newScan(whole, whole.header, limit), next, 0); err != nil {
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

// cutOff removes the entries that the manifest says are being truncated. What is left
// of the segment that is cut in two takes its place; appends go on there.
func (t *cutter) cutOff(m manifest, left *segment) error {
	next, segments := m.limit, t.view.Load().segments
	n := segmentsBefore(segments, next)
	kept := slices.Clone(segments[:n])
	if left != nil {
		kept[n-1] = left
	}
	t.safe.Store(next)
	t.shown.Store(next)
	t.show(next, func(v *view) {
		tail := &t.tail
		tail.segment, tail.marked, tail.sealed = nil, next, min(tail.sealed, next)
		v.manifest, v.segments = m, kept
		v.cuts = append(slices.Clip(v.cuts), next)
		if left != nil {
			tail.sealed = min(tail.sealed, left.base)
			t.follow(left)
		}
		tail.limit = 0 // for as long as this takes
	})
	if left != nil {
		if err := t.swap(segments[n-1], left); err != nil {
			return err
		}
	}
	for i := len(segments) - 1; i >= n; i-- {
		if err := t.remove(segments[i]); err != nil {
			return err
		}
	}
	return flush(t.dir)
}

// swap puts what is left of a segment in its place. Its file is closed before: not
// every system lets go of the name of one that is open.
func (t *cutter) swap(whole, left *segment) error {
	if err := whole.close(); err != nil {
		return err
	}
	return t.dir.Rename(newSegmentName, segmentName(left.base))
}
