package commitlog

import (
	"fmt"
	"sync"
	"time"
)

// Sync returns once everything that was appended before survives a power cut. Where
// opening had no space to make that safe, Sync tries again.
func (f *File) Sync() error {
	err := f.secureOpened()
	if err == nil {
		err = f.usable()
	}
	if err == nil {
		err = f.flushAll()
	}
	if err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	return nil
}

func (f *File) flushAll() error { return f.flush(f.turn.Next()) }

// flush returns once the entries below next are safe. Whoever comes first
// flushes for all that were appended by then; the others find it done. Of the
// entries some may have been truncated since next was read.
func (f *File) flush(next uint64) error {
	f.flushing.Lock()
	defer f.flushing.Unlock()
	if f.safe.Load() >= min(next, f.turn.Next()) {
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
