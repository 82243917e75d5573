package commitlog

import (
	"runtime"
	"time"
)

// A batch is the appends that are written, or made safe, by one call. Its first one
// leads it: it waits until the call before is done, and then makes one for all.
type batch struct {
	done chan struct{}
	err  error // after done
}

// end tells those who wait.
func (b *batch) end(err error) {
	if b != nil {
		b.err = err
		close(b.done)
	}
}

// ended reports whether somebody has taken the batch along. The leader's duty is held,
// so that none is about to.
func (b *batch) ended() bool { return over(b.done) }

// join makes an append wait for the next batch. The turn is held.
func (f *flusher) join() (b *batch, leads bool) {
	t := &f.tail
	if leads = t.batch == nil; leads {
		t.batch = &batch{done: make(chan struct{})}
	}
	return t.batch, leads
}

// commit returns once the batch is safe, or with the system.
func (f *flusher) commit(b *batch, leads bool) error {
	if leads && f.durable() {
		f.roster.take(flushing)
		if !b.ended() {
			f.linger()
			f.flushNow()
		}
		f.roster.give(flushing)
	} else if leads {
		f.roster.take(writing)
		if !b.ended() {
			f.handOver()
		}
		f.roster.give(writing)
	}
	<-b.done
	return b.err
}

// A gather says whether it pays to wait for more appends before a flush: those
// whose flush has just returned are about to come back, but callers need not be
// that kind. Who flushes has it.
type gather struct {
	expected uint64        // entries that a flush can hope for: those of the last one, and those that waited then
	took     time.Duration // the last flush
	missed   int           // how often in a row they did not come
	skip     int           // flushes not to wait before
}

const (
	// lingerShare is how much of a flush's time may be spent waiting for what
	// might go into it: one part in so many. A quarter is at times too short
	// for 64 goroutines that append 1 KiB each.
	lingerShare = 2
	// lingerMisses is how often waiting may be in vain before it is left out,
	// for lingerPause flushes.
	lingerMisses = 4
	lingerPause  = 64
)

// linger waits until as many entries want to be flushed as there were callers
// a moment ago.
func (f *flusher) linger() {
	g := &f.gather
	if g.skip > 0 {
		g.skip--
		return
	}
	deadline := time.Now().Add(g.took / lingerShare)
	for seen, next := uint64(0), f.turn.Next(); next-f.safe.Load() < g.expected; seen, next = next, f.turn.Next() {
		switch {
		case !time.Now().Before(deadline): // where no time passes, at once
			if g.missed++; g.missed >= lingerMisses {
				g.missed, g.skip = 0, lingerPause
			}
			return
		case next > seen:
			runtime.Gosched()
		default: // no goroutine came; one may be on a thread that waits for this processor
			f.turn.Leave()
		}
	}
	g.missed = 0
}
