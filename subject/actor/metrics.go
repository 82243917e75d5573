package actor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Metrics is what an actor has done, and how it stands.
type Metrics struct {
	// Depth is how many messages were put and not handled yet; those of a run in hand
	// are until its end, unless a Watch has begun. Of a mailbox of another make it is what that
	// one's Len says.
	Depth   int
	Handled int // messages that the handler returned from without an error; of a run in hand, all at its end, unless a Watch has begun
	Refused int // messages that were not handled, since the actor had ended; the one it failed of, or was halted in, is among them
	Dropped int // messages that a full mailbox dropped
	// What follows is of the time an actor was watched; 0 if it was not, and the two
	// means of what waits also with a [Channel], which knows no moments.
	PerSecond float64 // messages handled
	MeanDepth float64 // over the time
	// MeanWait is from Put until a message has left, handled, refused or dropped to
	// make room: MeanDepth ÷ those that left a second (Little's law, L = λW). Where
	// what waits grows or shrinks over the time, it is that of neither who came nor
	// who left.
	MeanWait     time.Duration
	MeanHandling time.Duration // in the handler
	MaxHandling  time.Duration // since the last Watch began
}

// A meter counts run by run, and message by message while somebody watches.
type meter struct {
	before   int64 // what the mailbox had handed over to others before
	handled  atomic.Int64
	refused  atomic.Int64
	watchers atomic.Int64
	inRun    atomic.Bool

	mu       sync.Mutex // while somebody watches, the handler changes counts under it
	seen     seen
	boundary chan struct{} // closed when the next message is counted; nil if nobody waits for that
}

// A seen is what was watched, over all times that somebody did.
type seen struct {
	left    flow
	handled int64
	timed   int64
	busy    int64 // nanoseconds in the handler, of those that were timed
	longest int64
}

// A runCount counts the messages of one run.
type runCount struct {
	meter   *meter
	counted int // of them, as handled
}

func (m *meter) begin() runCount {
	m.inRun.Store(true)
	return runCount{meter: m}
}

// start is when the handling of a message begins that somebody watches, of which so many of
// the run were handled before.
func (c *runCount) start(handled int) (began int64) {
	c.meter.mu.Lock()
	defer c.meter.mu.Unlock()
	c.count(handled)
	return moment()
}

// handled is called while somebody watches, when so many of the run were handled. The last of
// them is timed if it was watched from its beginning.
func (c *runCount) handled(began int64, handled int) {
	m := c.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	now, s := moment(), &m.seen
	c.count(handled)
	s.left.add(1, now)
	s.handled++
	if began != 0 {
		s.timed++
		s.busy += now - began
		s.longest = max(s.longest, now-began)
	}
}

// count counts those of the run that were handled and not counted yet. All that watch
// either wait for it, or have nothing in it that is not counted.
func (c *runCount) count(handled int) {
	c.meter.handled.Add(int64(handled - c.counted))
	c.counted = handled
	if c.meter.boundary != nil {
		close(c.meter.boundary)
		c.meter.boundary = nil
	}
}

// end ends a run of which so many were handled.
func (c *runCount) end(handled int) {
	m := c.meter
	if m.watchers.Load() == 0 {
		m.handled.Add(int64(handled - c.counted))
		c.counted = handled
		m.inRun.Store(false)
		if m.watchers.Load() == 0 {
			return
		}
	}
	m.mu.Lock() // also for who has come just now
	defer m.mu.Unlock()
	c.count(handled) // before anybody sees that no run is under way
	m.inRun.Store(false)
}

// refuse counts messages that were not handled.
func (m *meter) refuse(messages int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused.Add(int64(messages))
	if m.watchers.Load() > 0 {
		m.seen.left.add(messages, moment())
	}
}

// Metrics returns the counts. While nobody watches they cost three steps a run, and with
// a [Channel] an addition a message.
func (a *Actor[M]) Metrics() Metrics {
	for looks := 1; ; looks++ {
		handled, refused := a.meter.handled.Load(), a.meter.refused.Load()
		m, _ := a.count(handled, refused)
		if looks == mostLooks || a.meter.handled.Load() == handled && a.meter.refused.Load() == refused {
			return m
		}
	}
}

// mostLooks is how often Metrics looks for a moment in which nothing is handled. Then
// what was handled meanwhile is in the depth.
const mostLooks = 100

// count returns the counts, of which these are known.
func (a *Actor[M]) count(handled, refused int64) (Metrics, tally) {
	m := Metrics{Handled: int(handled), Refused: int(refused)}
	box, ok := a.box.(tallied)
	if !ok {
		m.Depth, m.Dropped = a.box.Len(), a.box.Dropped()
		return m, tally{}
	}
	t := box.tally()
	m.Dropped = t.dropped
	m.Depth = max(0, int(t.in()-a.meter.before-handled-refused)) // who puts into a Channel counts it a little later
	return m, t
}

// Watch watches the actor for some time, or until ctx ends or the actor does, and
// returns what it saw. It begins when the message in hand is handled; where that lasts
// longer than the time it has seen nothing. While somebody watches, each message costs a
// clock reading where it is put, two where it is handled, and a lock.
func (a *Actor[M]) Watch(ctx context.Context, window time.Duration) Metrics {
	box, moments := a.box.(watchable)
	if moments {
		box.watch(1)
		defer box.watch(-1)
	}
	a.meter.watchers.Add(1)
	defer a.meter.watchers.Add(-1)
	over := time.After(window)
	if !a.atBoundary(ctx, over) {
		return a.Metrics()
	}
	before := a.view(true)
	select {
	case <-ctx.Done():
	case <-a.done:
	case <-over:
	}
	return a.view(false).since(before, moments)
}

// atBoundary waits until all that was handled is counted; it reports false if that was
// not to be seen.
func (a *Actor[M]) atBoundary(ctx context.Context, over <-chan time.Time) bool {
	m := &a.meter
	m.mu.Lock()
	if !m.inRun.Load() {
		m.mu.Unlock()
		return true
	}
	if m.boundary == nil {
		m.boundary = make(chan struct{})
	}
	boundary := m.boundary
	m.mu.Unlock()
	select {
	case <-boundary:
		return true
	case <-ctx.Done():
	case <-over:
	}
	return false
}

// A view is how an actor that is watched stands at a moment.
type view struct {
	at int64
	Metrics
	tally
	seen
}

// view holds up the handler, so that nothing is handled between what it looks at.
func (a *Actor[M]) view(first bool) view {
	m := &a.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	if first {
		m.seen.longest = 0
	}
	v := view{seen: m.seen}
	v.Metrics, v.tally = a.count(m.handled.Load(), m.refused.Load())
	v.at = moment()
	return v
}

// since returns the metrics of the time since an earlier view, in which everything was
// watched.
func (v view) since(before view, moments bool) Metrics {
	m, took := v.Metrics, float64(v.at-before.at)
	if took <= 0 {
		return m
	}
	handled := v.seen.handled - before.seen.handled
	m.PerSecond = float64(handled) / took * 1e9
	if moments {
		waited := float64(before.Depth)*took + v.waited(before)
		m.MeanDepth = waited / took
		if gone := handled + int64(v.Refused-before.Refused) + v.shed.n - before.shed.n; gone > 0 {
			m.MeanWait = time.Duration(waited / float64(gone))
		}
	}
	if n := v.timed - before.timed; n > 0 {
		m.MeanHandling = time.Duration((v.busy - before.busy) / n)
	}
	m.MaxHandling = time.Duration(v.longest)
	return m
}

// waited is for how long messages have waited that came since an earlier view, less
// for how long those are gone that went.
func (v view) waited(before view) float64 {
	until := func(now, then flow) int64 { return (now.n-then.n)*v.at - (now.at - then.at) }
	return float64(until(v.came, before.came) - until(v.shed, before.shed) - until(v.left, before.left))
}
