package harness

import (
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/results"
)

// guard is a lock that measures how long it is held. Its fields belong to
// whoever holds the inner lock.
type guard struct {
	inner  sync.Locker
	random uint64
	sampling
	clock int64        // what reading it adds to a hold
	open  *atomic.Bool // the window is: what comes before it is none of the trial's

	acquisitions int64
	timed        int64
	busy         int64 // of the timed holds behind the first
	firstHold    int64 // what is opened in it stands for no other one
	skip         int
	since        int64 // 0: this hold is not timed
	first, last  int64
}

// Lock takes the inner lock and, if this hold is to be timed, starts its clock.
func (g *guard) Lock() {
	g.inner.Lock()
	if !g.open.Load() {
		return
	}
	g.acquisitions++
	if g.skip > 0 {
		g.skip--
		return
	}
	g.since = nanotime()
	if g.first == 0 {
		g.first = g.since
	}
}

// Unlock ends the hold's time and releases the inner lock.
func (g *guard) Unlock() {
	if g.since != 0 {
		g.last = nanotime()
		held := max(g.last-g.since-g.clock, 0)
		if g.timed == 0 {
			g.firstHold = held
		} else {
			g.busy += held
		}
		g.timed++
		g.since = 0
		if g.sampling != eachTimed {
			g.skip = g.gap(&g.random)
		}
	}
	g.inner.Unlock()
}

// guardSlot holds the guard of one trial.
type guardSlot struct {
	sampling
	clock int64
	seed  uint64
	open  atomic.Bool
	guard *guard
}

// wrap leaves the lock as it is where nothing is measured: in a Setup that is no trial's.
func (s *guardSlot) wrap(inner sync.Locker) sync.Locker {
	if s == nil {
		return inner
	}
	s.guard = &guard{inner: inner, sampling: s.sampling, clock: s.clock, open: &s.open, random: s.seed | 1}
	return s.guard
}

// record turns the measured holds into the server's side of a trial: the mean of the timed
// holds behind the first stands for the others; nil where there are none to tell of them.
func (s *guardSlot) record(wallNS int64) *results.Guard {
	g := s.guard
	if g == nil || g.timed == 0 || g.timed == 1 && g.acquisitions > 1 {
		return nil
	}
	busy := results.Number(g.firstHold)
	if g.timed > 1 {
		busy += results.Number(g.busy) / results.Number(g.timed-1) * results.Number(g.acquisitions-1)
	}
	return &results.Guard{
		Acquisitions: g.acquisitions,
		BusyNS:       busy,
		SpanNS:       g.last - g.first,
		BusyShare:    busy / results.Number(wallNS),
	}
}
