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

// keep seals what is full and makes the next segment when it is time. What the
// disk has no space for is left: the append that needs it will say so.
func (f *File) keep() {
	for !f.keeper.stopped() {
		if sealed, err := f.sealOldest(); !sealed || err != nil {
			break
		}
	}
	next := f.turn.take()
	asked := f.tail.asked
	f.turn.give(next)
	if !asked {
		return
	}
	f.spare.mu.Lock()
	err := f.orStop(f.fillSpare())
	f.spare.mu.Unlock()
	if err == nil && f.options.Durability == Always {
		f.prepareSpare()
	}
}

// askForSpare asks the keeper for the next segment when the last one is half
// full. The turn is held.
func (f *File) askForSpare() {
	if t := &f.tail; !t.asked && t.segment != nil && t.end > f.options.SegmentSize/2 {
		t.asked = true
		f.keeper.poke()
	}
}

// prepareSpare makes all of the next segment ready, and has it written out,
// piece by piece: a flush of what is appended to it then has nothing else to
// write.
func (f *File) prepareSpare() {
	for more := true; more && !f.keeper.stopped(); {
		f.spare.mu.Lock()
		s := f.spare.segment
		if more = s != nil && s.size.Load() < f.options.SegmentSize; more {
			err := s.extend(min(s.size.Load()+f.options.preparation(), f.options.SegmentSize))
			if err == nil {
				err = f.orStop(flush(s.file))
			}
			more = err == nil
		}
		f.spare.mu.Unlock()
	}
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

// sealOldest seals the first segment that is full and was not sealed. It
// reports false if there is none.
func (f *File) sealOldest() (found bool, err error) {
	f.shaping.Lock()
	defer f.shaping.Unlock()
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
	var sealed *segment
	_, err := f.timed(func() (err error) {
		sealed, err = s.seal(func() error { return flush(f.dir) })
		return err
	})
	if err != nil {
		return err
	}
	f.turn.give(f.replace(s, sealed))
	return nil
}

// replace takes the turn, puts a sealed segment in the place of what it was
// before, and returns the index of the next entry.
func (f *File) replace(s, sealed *segment) (next uint64) {
	next = f.turn.take()
	t := &f.tail
	raise(&f.safe, sealed.next())
	t.sealed, t.marked = sealed.next(), max(t.marked, sealed.next())
	t.dirty = slices.DeleteFunc(slices.Clone(t.dirty), func(other *segment) bool { return other == s })
	f.reshape(func(v *view) {
		v.segments = slices.Clone(v.segments)
		v.segments[slices.Index(v.segments, s)] = sealed
	})
	if t.segment == s {
		t.segment, t.memory, t.limit = nil, nil, 0
	}
	return next
}
