package commitlog

import (
	"io"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// dropSuffix makes what is left of the segment that is cut in two, which a full disk
// may have no space for, and then writes down what it is about to do, so that
// opening the log can finish it. An error behind that point stops the log: half of
// it may have been done. Only the last step can be tried again, to write down that it
// is done: the append that comes next does so.
func (f *File) dropSuffix(next uint64) error {
	intent := f.view.Load().manifest
	if next < intent.first {
		return ErrTruncated
	}
	if err := f.secureRest(); err != nil {
		return err
	}
	if next == f.turn.Next() {
		return f.noteKnown()
	}
	left, err := f.leftOf(next)
	if err != nil {
		return err
	}
	intent.known, intent.limit = next, next // all below were flushed
	if err := writeManifest(f.dir, intent); err != nil {
		return both(err, f.dropLeft(left))
	}
	if err := f.cutOff(intent, left); err != nil {
		return f.stop(err)
	}
	f.rest.Store(true)
	if err := f.secureRest(); isFlushError(err) {
		return err
	}
	return nil
}

// noteKnown writes into the manifest that all entries are safe, as a truncation that
// leaves them all promises.
func (f *File) noteKnown() error {
	m, next := f.view.Load().manifest, f.turn.Next()
	if m.known >= next {
		return nil
	}
	m.known = next
	if err := writeManifest(f.dir, m); err != nil {
		return err
	}
	f.show(next, func(v *view) { v.manifest = m })
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
func (f *File) cutOff(m manifest, left *segment) error {
	next, segments := m.limit, f.view.Load().segments
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
		v.manifest, v.segments = m, kept
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
