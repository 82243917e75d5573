package commitlog

import "fmt"

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
	f.flushing.Lock()
	defer f.flushing.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.usable(); err != nil {
		return err
	}
	if index > f.appended.Load() {
		return ErrNotFound
	}
	defer f.news.tell()
	return f.orStop(drop(index))
}

func (f *File) dropPrefix(first uint64) error {
	if first <= f.manifest.first {
		return nil
	}
	m := f.manifest
	m.first = first
	if err := writeManifest(f.dir, m); err != nil {
		return err
	}
	f.manifest = m
	for len(f.segments) > 0 && f.segments[0].sealed && f.segments[0].next() <= first {
		gone := f.segments[0]
		f.segments = f.segments[1:]
		if err := f.remove(gone); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a segment, if it is still there.
func (f *File) remove(s *segment) error {
	return both(removeIfThere(f.dir, segmentName(s.base)), s.file.Close())
}

// dropSuffix first writes down what it is about to do, so that opening the log
// can finish it. An error behind that point stops the log: half of it may have
// been done.
func (f *File) dropSuffix(next uint64) error {
	if next < f.manifest.first {
		return ErrTruncated
	}
	if next == f.appended.Load() {
		return nil
	}
	m := f.manifest
	m.limit = next
	if err := writeManifest(f.dir, m); err != nil {
		return err
	}
	f.cuts = append(f.cuts, next)
	if err := f.cutOff(next); err != nil {
		return f.stop(err)
	}
	f.appended.Store(next)
	f.safe.Store(next)
	f.marked = next
	return nil
}

// cutOff removes the entries from next on and then the intention to do so.
func (f *File) cutOff(next uint64) error {
	for n := len(f.segments); n > 0 && f.segments[n-1].base >= next; n-- {
		gone := f.segments[n-1]
		f.segments = f.segments[:n-1]
		if err := f.remove(gone); err != nil {
			return err
		}
	}
	if err := flush(f.dir); err != nil {
		return err
	}
	if n := len(f.segments); n > 0 {
		if err := f.segments[n-1].cutOff(next); err != nil {
			return err
		}
	}
	return writeManifest(f.dir, f.manifest)
}

// cutOff removes the segment's entries from next on and opens it for writing
// again.
func (s *segment) cutOff(next uint64) error {
	if s.next() == next && s.sealed {
		return nil
	}
	if _, err := s.collect(newScan(s.file, s.header, min(s.size, maxOffset)), next); err != nil {
		return err
	}
	if s.next() != next {
		return s.corrupt(s.next(), s.end, "checksum does not match")
	}
	if err := writeZeros(s.file, s.end, s.size); err != nil {
		return err
	}
	if err := flush(s.file); err != nil {
		return err
	}
	return s.endTruncated()
}
