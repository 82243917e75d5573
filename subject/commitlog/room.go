package commitlog

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// makeRoom makes room for size bytes of records and a mark at the log's end.
// If it fails, nothing is lost and the next append tries again.
func (f *File) makeRoom(size int64) error {
	if err := f.finishOpening(); err != nil {
		return err
	}
	for f.unsealed() > f.options.backlog {
		if _, err := f.sealOldest(); err != nil {
			return fmt.Errorf("seal segment: %w", err)
		}
	}
	f.building.Lock()
	defer f.building.Unlock()
	next := f.turn.Take()
	s, end, fits, err := f.tail.segment, f.tail.end, f.tail.fits(size), f.usable()
	f.ask()
	f.turn.Give(next)
	size += markSize
	switch {
	case err != nil || fits || f.rest.Load(): // then it has to be done first
		return err
	case s == nil, next > s.base && (end+size > f.options.SegmentSize || s.direct == nil && f.spare.whole.Load()):
		return f.orStop(f.roll(size))
	}
	return f.prepare(s, end+size)
}

// prepare makes the tail's segment ready up to the offset end, and further.
// Others append meanwhile, to what was ready before. f.building is held.
func (f *File) prepare(s *segment, end int64) error {
	f.setLimit(s.size.Load())
	if err := f.extend(s, end); err != nil {
		return fmt.Errorf("prepare segment: %w", err)
	}
	f.setLimit(max(end, f.limitOf(s)))
	return nil
}

func (f *File) setLimit(limit int64) {
	next := f.turn.Take()
	t := &f.tail
	if t.limit = limit; limit > int64(len(t.memory)) {
		t.memory = nil // the segment's first batch is larger than a segment
	}
	f.turn.Give(next)
}

// roll starts a new segment, with room for size bytes. f.building is held.
func (f *File) roll(size int64) error {
	f.spare.mu.Lock()
	defer f.spare.mu.Unlock()
	err := f.fillSpare()
	if err == nil {
		err = f.ready(f.spare.segment, recordsStart+size)
	}
	if err == nil {
		err = f.install(f.spare.segment)
	}
	if err != nil {
		return fmt.Errorf("create segment: %w", err)
	}
	f.spare.segment = nil
	f.spare.whole.Store(false)
	f.keeper.poke()
	return nil
}

// ready prepares a spare segment up to the offset end.
func (f *File) ready(s *segment, end int64) error {
	if end > s.size.Load() {
		if err := f.extend(s, end); err != nil {
			return err
		}
	}
	if s.direct == nil {
		s.mapRoom(max(s.size.Load(), f.options.SegmentSize))
	}
	return nil
}

// extend makes a segment ready up to the offset end, and further if there is
// space on the disk.
func (f *File) extend(s *segment, end int64) error {
	if s.extend(max(end, f.options.further(s))) == nil {
		return nil
	}
	return s.extend(end)
}

// install gives a spare segment its name and lets entries in.
func (f *File) install(s *segment) error {
	base := f.turn.Take()
	defer f.turn.Give(base)
	name := segmentName(base)
	if err := f.dir.Rename(spareName, name); err != nil {
		return err
	}
	s.base, s.path = base, f.dir.Path(name)
	f.follow(s)
	if f.options.Durability != Always {
		f.mark() // for which the last segment may have had no room
	}
	f.tail.names++
	f.reshape(func(v *view) { v.segments = append(slices.Clip(v.segments), s) })
	return nil
}

// reshape shows readers another view. The turn is held.
func (f *File) reshape(change func(v *view)) {
	v := *f.view.Load()
	change(&v)
	v.shelves, v.last = v.shelvesTo(f.Next()), v.likely(f.tail.end)
	f.view.Store(&v)
}

// A stock holds the segment that will come next, if it was made already, and
// keeps the name of its file.
type stock struct {
	mu      sync.Mutex
	segment *segment
	whole   atomic.Bool // it was made ready as far as it will be
}

// fillSpare makes the next segment, which has no base yet. f.spare.mu is held.
func (f *File) fillSpare() (err error) {
	if f.spare.segment == nil {
		h := header{id: f.view.Load().manifest.id, salt: f.options.salt()}
		f.spare.segment, err = createSegment(f.dir, spareName, h, f.tail.ring)
	}
	return err
}

// dropSpare removes the next segment, if there is one.
func (f *File) dropSpare() error {
	f.spare.mu.Lock()
	defer f.spare.mu.Unlock()
	s := f.spare.segment
	if s == nil {
		return nil
	}
	f.spare.segment = nil
	return both(s.close(), f.dir.Remove(spareName))
}
