package actor

import (
	"context"
	"sync/atomic"
	"time"
)

// Metrics is what an actor has done, and how it stands.
type Metrics struct {
	Depth   int // messages that were put and not handled yet; of a run that is being handled, those it began with, unless watched
	Handled int // messages that the handler returned from without an error; of a run in hand, all at its end, unless watched
	Refused int // messages that were not handled, since the actor had ended; the one it failed of is among them
	Dropped int // messages that a full mailbox dropped
	// What follows is of the time an actor was watched; 0 if it was not.
	PerSecond    float64       // messages handled
	MeanDepth    float64       // over the time
	MeanWait     time.Duration // from Put to the handler's return: MeanDepth ÷ PerSecond (Little's law, L = λW)
	MeanHandling time.Duration // in the handler
	MaxHandling  time.Duration // since the last Watch began
}

// A meter counts run by run, and message by message while somebody watches.
type meter struct {
	given    atomic.Int64 // messages of runs that were begun
	handled  atomic.Int64
	refused  atomic.Int64
	watchers atomic.Int64
	busy     atomic.Int64 // nanoseconds in the handler while watched
	longest  atomic.Int64
	timed    atomic.Int64
}

// A runCount counts the messages of one run.
type runCount struct {
	meter   *meter
	counted int // of them, as handled
}

// begin counts a run that begins.
func (m *meter) begin(messages int) runCount {
	m.given.Add(int64(messages))
	return runCount{meter: m}
}

// start is when a message's handling begins; nobody reads the clock unless somebody
// watches.
func (c *runCount) start() (began time.Time) {
	if c.meter.watchers.Load() > 0 {
		began = time.Now()
	}
	return began
}

// handled counts and times a message that was handled, if it was watched from its
// beginning: so many of the run were handled then.
func (c *runCount) handled(began time.Time, messages int) {
	if began.IsZero() {
		return
	}
	m, took := c.meter, int64(time.Since(began))
	c.end(messages)
	m.timed.Add(1)
	m.busy.Add(took)
	if took > m.longest.Load() { // there is one goroutine that handles
		m.longest.Store(took)
	}
}

// end counts those of the run that were handled and not counted yet.
func (c *runCount) end(handled int) {
	c.meter.handled.Add(int64(handled - c.counted))
	c.counted = handled
}

// Metrics returns the counts. While nobody watches they cost two additions a run.
func (a *Actor[M]) Metrics() Metrics {
	handled, refused := a.meter.handled.Load(), a.meter.refused.Load()
	inHand := a.meter.given.Load() - handled - refused
	return Metrics{Depth: a.box.Len() + int(max(0, inHand)), Handled: int(handled), Refused: int(refused), Dropped: a.box.Dropped()}
}

// Watch looks at the actor for some time, or until ctx ends or the actor does, and
// returns what it saw. While somebody watches, each message costs two clock readings.
// Messages of a run that had begun before are counted with the first that is watched.
func (a *Actor[M]) Watch(ctx context.Context, window time.Duration) Metrics {
	m := &a.meter
	m.watchers.Add(1)
	defer m.watchers.Add(-1)
	m.longest.Store(0)
	began, before := time.Now(), a.Metrics()
	busy, timed := m.busy.Load(), m.timed.Load()
	depth, looks := 0.0, 0.0
	end := time.After(window)
	for more := true; more; {
		select {
		case <-ctx.Done():
			more = false
		case <-a.done:
			more = false
		case <-end:
			more = false
		case <-time.After(max(window/256, time.Microsecond)):
		}
		depth += float64(a.Metrics().Depth)
		looks++
	}
	seen := a.Metrics()
	if took := time.Since(began).Seconds(); took > 0 {
		seen.PerSecond = float64(seen.Handled-before.Handled) / took
	}
	seen.MeanDepth = depth / looks
	if seen.PerSecond > 0 {
		seen.MeanWait = time.Duration(seen.MeanDepth / seen.PerSecond * 1e9)
	}
	if n := m.timed.Load() - timed; n > 0 {
		seen.MeanHandling = time.Duration((m.busy.Load() - busy) / n)
	}
	seen.MaxHandling = time.Duration(m.longest.Load())
	return seen
}
