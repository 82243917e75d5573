package actor

import (
	"context"
	"sync/atomic"
	"time"
)

// Metrics is what an actor has done, and how it stands.
type Metrics struct {
	Depth   int // messages that were put and not handled yet; of a run that is being handled, those it began with, unless watched
	Handled int // messages that the handler returned from
	Refused int // messages that were not handled, since the actor had ended
	Dropped int // messages that a full mailbox dropped
	// What follows is of the time an actor was watched; 0 if it was not.
	PerSecond    float64       // messages handled
	MeanDepth    float64       // over the time
	MeanWait     time.Duration // from Put to the handler's return: MeanDepth ÷ PerSecond (Little's law, L = λW)
	MeanHandling time.Duration // in the handler
	MaxHandling  time.Duration
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

// begin counts a run that begins. It returns the meter if somebody watches, else nil.
func (m *meter) begin(messages int) *meter {
	m.given.Add(int64(messages))
	if m.watchers.Load() == 0 {
		return nil
	}
	return m
}

// start is when a message's handling begins.
func (m *meter) start() time.Time {
	if m == nil {
		return time.Time{}
	}
	return time.Now()
}

// handledOne counts and times a message that was handled.
func (m *meter) handledOne(began time.Time) {
	if m == nil {
		return
	}
	took := int64(time.Since(began))
	m.handled.Add(1)
	m.timed.Add(1)
	m.busy.Add(took)
	if took > m.longest.Load() { // there is one goroutine that handles
		m.longest.Store(took)
	}
}

// end counts a run of which so many were handled, unless it was watched.
func (m *meter) end(watched *meter, handled int) {
	if watched == nil {
		m.handled.Add(int64(handled))
	}
}

// Metrics returns the counts. They cost nothing while nobody reads them but one
// addition a run.
func (a *Actor[M]) Metrics() Metrics {
	handled, refused := a.meter.handled.Load(), a.meter.refused.Load()
	inHand := a.meter.given.Load() - handled - refused
	return Metrics{Depth: a.box.Len() + int(max(0, inHand)), Handled: int(handled), Refused: int(refused), Dropped: a.box.Dropped()}
}

// Watch looks at the actor for some time, or until ctx ends or the actor does, and
// returns what it saw. While somebody watches, each message costs two clock readings.
func (a *Actor[M]) Watch(ctx context.Context, window time.Duration) Metrics {
	m := &a.meter
	m.watchers.Add(1)
	defer m.watchers.Add(-1)
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
	seen.PerSecond = float64(seen.Handled-before.Handled) / time.Since(began).Seconds()
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
