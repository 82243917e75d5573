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
	// are until its end, unless watched. Of a mailbox of another make it is what that
	// one's Len says.
	Depth   int
	Handled int // messages that the handler returned from without an error; of a run in hand, all at its end, unless watched
	Refused int // messages that were not handled, since the actor had ended; the one it failed of is among them
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

	mu   sync.Mutex // guards what follows, and what is watched at all
	seen seen
}

// A seen is what was watched, over all times that somebody did.
type seen struct {
	left    flow
	handled int64
	timed   int64
	busy    int64 // nanoseconds in the handler, of those that were timed
	longest int64
	began   int64 // moment of the last Watch
}

// A runCount counts the messages of one run.
type runCount struct {
	meter   *meter
	counted int // of them, as handled
}

// start is when a message's handling begins; nobody reads the clock unless somebody
// watches.
func (c *runCount) start() (began int64) {
	if c.meter.watchers.Load() > 0 {
		began = moment()
	}
	return began
}

// handled is called when so many of the run were handled, and does something only if
// somebody watches. The last of them is timed if it was watched from its beginning;
// those that were not counted before it were handled before anybody watched.
func (c *runCount) handled(began int64, messages int) {
	m := c.meter
	if m.watchers.Load() == 0 {
		return
	}
	now, earlier := moment(), messages-1-c.counted
	c.end(messages)
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.seen
	s.left.add(earlier, s.began)
	s.left.add(1, now)
	s.handled++
	if began != 0 {
		s.timed++
		s.busy += now - began
		s.longest = max(s.longest, now-began)
	}
}

// end counts those of the run that were handled and not counted yet.
func (c *runCount) end(handled int) {
	c.meter.handled.Add(int64(handled - c.counted))
	c.counted = handled
}

// refuse counts messages that were not handled.
func (m *meter) refuse(messages int) {
	m.refused.Add(int64(messages))
	if m.watchers.Load() > 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.seen.left.add(messages, moment())
	}
}

// Metrics returns the counts. While nobody watches they cost one addition a run, and
// with a [Channel] one a message.
func (a *Actor[M]) Metrics() Metrics {
	m, _ := a.look()
	return m
}

// look returns the counts of one moment: between two looks at what has left nothing
// has.
func (a *Actor[M]) look() (Metrics, tally) {
	for {
		handled, refused := a.meter.handled.Load(), a.meter.refused.Load()
		m := Metrics{Depth: a.box.Len(), Handled: int(handled), Refused: int(refused), Dropped: a.box.Dropped()}
		box, ok := a.box.(tallied)
		var t tally
		if ok {
			t = box.tally()
			m.Dropped = t.dropped
			m.Depth = max(0, int(t.in()-a.meter.before-handled-refused)) // who puts into a Channel counts it a little later
		}
		if a.meter.handled.Load() == handled && a.meter.refused.Load() == refused {
			return m, t
		}
	}
}

// handedOver is how many messages a mailbox has handed over.
func handedOver[M any](box Mailbox[M]) int64 {
	waiting := box.Len()
	if box, ok := box.(tallied); ok {
		return box.tally().in() - int64(waiting)
	}
	return 0
}

// Watch watches the actor for some time, or until ctx ends or the actor does, and
// returns what it saw. While somebody watches, each message costs a clock reading where
// it is put, two where it is handled, and a lock.
func (a *Actor[M]) Watch(ctx context.Context, window time.Duration) Metrics {
	began := a.watch(1)
	defer a.watch(-1)
	before := a.view()
	before.at = began
	select {
	case <-ctx.Done():
	case <-a.done:
	case <-time.After(window):
	}
	_, moments := a.box.(watchable)
	return a.view().since(before, moments)
}

// watch has the mailbox and the meter keep moments from now on, or not any more.
func (a *Actor[M]) watch(watchers int) (now int64) {
	if box, ok := a.box.(watchable); ok {
		box.watch(watchers)
	}
	a.meter.mu.Lock()
	defer a.meter.mu.Unlock()
	a.meter.watchers.Add(int64(watchers))
	now = moment()
	if watchers > 0 {
		a.meter.seen.began, a.meter.seen.longest = now, 0
	}
	return now
}

// A view is how an actor stands at a moment.
type view struct {
	at int64
	Metrics
	tally
	seen
}

func (a *Actor[M]) view() view {
	v := view{}
	v.Metrics, v.tally = a.look()
	a.meter.mu.Lock()
	defer a.meter.mu.Unlock()
	v.seen, v.at = a.meter.seen, moment()
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
