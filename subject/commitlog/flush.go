package commitlog

import (
	"fmt"
	"sync"
	"time"
)

// Sync returns once everything that was appended before survives a power cut.
func (f *File) Sync() error {
	f.mu.RLock()
	err := f.usable()
	f.mu.RUnlock()
	if err == nil {
		err = f.flushAll()
	}
	if err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	return nil
}

func (f *File) flushAll() error { return f.flush(f.appended.Load()) }

// flush returns once the entries below next are safe. Whoever comes first
// flushes for all that were written by then; the others find it done.
func (f *File) flush(next uint64) error {
	f.flushing.Lock()
	defer f.flushing.Unlock()
	if f.safe.Load() >= next {
		return nil
	}
	f.mu.RLock()
	s, written, failed := f.active(), f.appended.Load(), f.failed.Load()
	f.mu.RUnlock()
	if failed != nil {
		return *failed
	}
	if s == nil { // sealing has flushed it
		raise(&f.safe, written)
		return nil
	}
	before := f.safe.Load()
	if err := f.timed(func() error { return flush(s.file) }); err != nil {
		return f.stop(err)
	}
	raise(&f.safe, written)
	f.metrics.flushed(written - before)
	return nil
}

// timed measures a flush.
func (f *File) timed(flush func() error) error {
	start := time.Now()
	err := flush()
	f.metrics.took(time.Since(start))
	return err
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
// with its promise. It flushes, whatever the Durability, and marks the end so
// that damage to any entry is found at the next opening.
func (f *File) Close() error {
	f.mu.Lock()
	closed := f.closed
	f.closed = true
	f.mu.Unlock()
	if closed {
		return closeError(ErrClosed)
	}
	f.ticker.stop()
	err := f.flushAll()
	f.flushing.Lock()
	defer f.flushing.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		err = f.markEnd()
	}
	for _, s := range f.segments {
		err = both(err, s.file.Close())
	}
	f.news.tell()
	if err = both(err, f.lock.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// markEnd leaves a mark that says that all entries are safe. They are so
// without it: where there is no space for it, it is left out.
func (f *File) markEnd() error {
	s, next := f.active(), f.appended.Load()
	if s == nil || f.marked >= next || f.failed.Load() != nil {
		return nil
	}
	if s.prepare(s.end+markSize, 0) != nil {
		return nil
	}
	f.buf = appendMark(f.buf[:0], s.seed, next, next)
	if f.writeBuffer(s) != nil {
		return nil
	}
	f.marked = next
	return flush(s.file)
}
