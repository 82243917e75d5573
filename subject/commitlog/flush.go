package commitlog

import (
	"fmt"
	"sync"
	"time"
)

// Sync returns once everything that was appended before survives a power cut.
func (f *File) Sync() error {
	err := f.usable()
	if err == nil {
		err = f.flushAll()
	}
	if err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	return nil
}

func (f *File) flushAll() error { return f.flush(f.turn.next()) }

// flush returns once the entries below next are safe. Whoever comes first
// flushes for all that were appended by then; the others find it done.
func (f *File) flush(next uint64) error {
	f.flushing.Lock()
	defer f.flushing.Unlock()
	if f.safe.Load() >= next {
		return nil
	}
	return f.flushNow()
}

// timed measures a flush.
func (f *File) timed(flush func() error) (time.Duration, error) {
	start := time.Now()
	err := flush()
	took := time.Since(start)
	f.metrics.took(took)
	return took, err
}

// A ticker calls a function at intervals until it fails or is stopped.
type ticker struct {
	stopping chan struct{}
	done     sync.WaitGroup
}

func (t *ticker) start(interval time.Duration, call func() error) {
	t.stopping = make(chan struct{})
	t.done.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-t.stopping:
				return
			case <-tick.C:
				if call() != nil {
					return // the log has stopped
				}
			}
		}
	})
}

// stop waits for the last call to return. It may be called once.
func (t *ticker) stop() {
	if t.stopping != nil {
		close(t.stopping)
		t.done.Wait()
	}
}

// Close implements [Log]. Appends that are under way are finished first, each
// with its promise. It flushes, whatever the Durability, seals what is full,
// and marks the end so that damage to any entry is found at the next opening.
func (f *File) Close() error {
	next := f.turn.take()
	closed := f.view.Load().closed
	f.reshape(func(v *view) { v.closed = true })
	f.tail.limit = 0
	f.turn.give(next)
	if closed {
		return closeError(ErrClosed)
	}
	f.ticker.stop()
	f.keeper.stop()
	err := f.flushAll()
	f.shaping.Lock()
	defer f.shaping.Unlock()
	f.flushing.Lock()
	defer f.flushing.Unlock()
	f.building.Lock()
	defer f.building.Unlock()
	if err == nil {
		err = f.end()
	}
	err = both(err, f.dropSpare())
	for _, s := range f.view.Load().segments {
		err = both(err, s.close())
	}
	f.news.tell()
	if err = both(err, f.lock.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// sealedAtClose is how many bytes of records make closing seal the last
// segment, so that the next opening does not have to read them.
const sealedAtClose = 1 << 20

// end leaves the log as it should be found: all that is full sealed, and a
// mark behind the last entry. It is safe without that: what there is no space
// for is left out.
func (f *File) end() error {
	for more := true; more; {
		var err error
		if more, err = f.sealNext(); err != nil {
			return ifNotFull(err)
		}
	}
	s := f.tail.segment
	if s == nil {
		return nil
	}
	s.end = f.tail.end
	if s.end > sealedAtClose {
		return ifNotFull(f.seal(s))
	}
	return f.markEnd(s)
}

// markEnd says behind the last entry that all are safe.
func (f *File) markEnd(s *segment) error {
	next := f.turn.next()
	if f.tail.marked >= next {
		return nil
	}
	if err := s.leaveDirect(s.end); err != nil {
		return err
	}
	mark := newMark(s.seed, next, pledge{next, f.tail.sealed})
	if _, err := s.file.WriteAt(mark, s.end); err != nil {
		return nil
	}
	s.end += markSize
	f.tail.marked = next
	if err := s.file.Truncate(s.end); err != nil {
		return ifNotFull(err)
	}
	return flush(s.file)
}
