package commitlog

import (
	"slices"
	"sync"
)

// A keeper is the goroutine that does beside the appends what can be done
// beside them.
type keeper struct {
	poked    chan struct{}
	stopping chan struct{}
	done     sync.WaitGroup
}

// start has the keeper call work whenever it is poked.
func (k *keeper) start(work func()) {
	k.poked, k.stopping = make(chan struct{}, 1), make(chan struct{})
	k.done.Go(func() {
		for {
			select {
			case <-k.stopping:
				return
			case <-k.poked:
				work()
			}
		}
	})
}

// poke never blocks.
func (k *keeper) poke() {
	select {
	case k.poked <- struct{}{}:
	default:
	}
}

// stop waits for the work under way. It may be called once.
func (k *keeper) stop() {
	if k.stopping != nil {
		close(k.stopping)
		k.done.Wait()
	}
}

// stopped reports whether work that can wait should not be begun.
func (k *keeper) stopped() bool {
	select {
	case <-k.stopping:
		return true
	default:
		return false
	}
}

// ask asks the keeper for the next segment when it is time: when the last one is
// half full or, if the log is durable, as soon as it is clear that more will
// come than was made ready for it. The turn is held.
func (f *File) ask() {
	t := &f.tail
	if t.asked || t.segment == nil {
		return
	}
	half := t.end > f.options.SegmentSize/2
	short := f.options.Durability == Always && t.segment.direct == nil && t.end > f.options.SegmentSize/256 && t.segment.size.Load() < f.options.SegmentSize
	if half || short {
		t.asked = true
		f.keeper.poke()
	}
}

// keep seals what is full and makes ready what was asked for. What the disk has
// no space for is left: the append that needs it will say so.
func (f *File) keep() {
	for f.indexOldest() && !f.keeper.stopped() {
	}
	for f.sealable() && !f.keeper.stopped() {
		if sealed, err := f.sealOldest(); !sealed || err != nil {
			break
		}
	}
	next := f.turn.Take()
	asked := f.tail.asked
	f.turn.Give(next)
	if !asked {
		return
	}
	f.spare.mu.Lock()
	err := f.orStop(f.fillSpare())
	f.spare.mu.Unlock()
	if err == nil && f.options.Durability == Always {
		f.extendSpare()
	}
}

// extendSpare makes the next segment ready, and has it written out: a flush of
// what is appended there has nothing else to write then. The flushes of the
// appends meanwhile wait for the disk, so that a segment is twice as large as
// the one before it, up to SegmentSize: a log that has just begun is not made to
// wait for 64 MiB of zeros.
func (f *File) extendSpare() {
	next := f.turn.Take()
	size := f.options.firstSpare()
	if s := f.tail.segment; s != nil {
		size = min(max(size, 2*s.size.Load()), f.options.SegmentSize)
	}
	f.turn.Give(next)
	f.spare.mu.Lock()
	defer f.spare.mu.Unlock()
	s := f.spare.segment
	if s == nil || f.spare.whole.Load() {
		return
	}
	err := s.extend(size)
	if err == nil {
		err = f.orStop(flush(s.file))
	}
	f.spare.whole.Store(err == nil)
}

// unsealed is how many segments are full and not sealed yet.
func (f *File) unsealed() int {
	segments := f.view.Load().segments
	n := 0
	for i := len(segments) - 2; i >= 0 && !segments[i].sealed; i-- {
		n++
	}
	return n
}

// sealable reports whether it is time to seal a segment. Sealing flushes it: a
// log that leaves this to the system keeps a number of them unsealed.
func (f *File) sealable() bool {
	if f.options.Durability == None {
		return f.unsealed() > f.options.backlog/2
	}
	return f.unsealed() > 0
}

// sealOldest seals the first segment that is full and was not sealed. It
// reports false if there is none.
func (f *File) sealOldest() (found bool, err error) {
	f.shaping.Lock()
	defer f.shaping.Unlock()
	if err := f.usable(); err != nil {
		return false, err
	}
	return f.sealNext()
}

// sealNext is sealOldest while f.shaping is held.
func (f *File) sealNext() (found bool, err error) {
	segments := f.view.Load().segments
	i := slices.IndexFunc(segments, func(s *segment) bool { return !s.sealed })
	if i < 0 || i == len(segments)-1 {
		return false, nil
	}
	return true, f.orStop(f.seal(segments[i]))
}

// indexOldest writes the table of the first full segment that has none. It
// reports false if there is none, or no space for it.
func (f *File) indexOldest() bool {
	f.shaping.Lock()
	defer f.shaping.Unlock()
	segments := f.view.Load().segments
	for _, s := range segments[:max(0, len(segments)-1)] {
		if s.offsets != nil {
			indexed, err := s.index()
			if err == nil {
				f.turn.Give(f.replace(s, indexed))
			}
			return err == nil
		}
	}
	return false
}

// seal seals a segment that no entry is added to any more; those before it are
// sealed. f.shaping is held.
func (f *File) seal(s *segment) error {
	if failed := f.failed.Load(); failed != nil {
		return *failed
	}
	if f.options.Durability == Always && f.safe.Load() < s.next() { // records may still wait to be written
		if err := f.flush(s.next()); err != nil {
			return err
		}
	}
	if s.offsets != nil {
		indexed, err := s.index()
		if err != nil {
			return err
		}
		f.turn.Give(f.replace(s, indexed))
		s = indexed
	}
	var sealed *segment
	_, err := f.timed(func() (err error) {
		sealed, err = s.seal(func() error { return flush(f.dir) })
		return err
	})
	if err != nil {
		return err
	}
	next := f.replace(s, sealed)
	raise(&f.safe, sealed.next())
	t := &f.tail
	t.sealed, t.marked = sealed.next(), max(t.marked, sealed.next())
	t.dirty = slices.DeleteFunc(t.dirty, func(other *segment) bool { return other == sealed })
	f.turn.Give(next)
	return nil
}

// replace takes the turn, puts a segment in the place of what it was before,
// and returns the index of the next entry.
func (f *File) replace(before, now *segment) (next uint64) {
	next = f.turn.Take()
	in := func(segments []*segment) []*segment {
		segments = slices.Clone(segments)
		if i := slices.Index(segments, before); i >= 0 {
			segments[i] = now
		}
		return segments
	}
	t := &f.tail
	t.dirty = in(t.dirty)
	f.reshape(func(v *view) { v.segments = in(v.segments) })
	if t.segment == before {
		t.segment, t.memory, t.limit = nil, nil, 0
	}
	return next
}
