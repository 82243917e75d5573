package traced

import (
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/exp/trace"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// ErrNobody says that no goroutine takes part in a trace.
var ErrNobody = errors.New("no goroutine of the window is in the trace")

// Read reads a trace of one window. One that was cut short counts up to where it ends.
func Read(from io.Reader) (*Breakdown, error) {
	events, err := trace.NewReader(from)
	if err != nil {
		return nil, fmt.Errorf("read trace: %w", err)
	}
	r := reading{goroutines: map[trace.GoID]*goroutine{}, stacks: map[trace.Stack]stack.Seen{}}
	for {
		e, err := events.ReadEvent()
		if errors.Is(err, io.EOF) || err != nil && r.part > 0 {
			return r.end(err != io.EOF)
		}
		if err != nil {
			return nil, fmt.Errorf("read trace: %w", err)
		}
		r.event(e)
	}
}

// A reading follows the goroutines through a trace.
type reading struct {
	goroutines  map[trace.GoID]*goroutine
	stacks      map[trace.Stack]stack.Seen // of one generation of the trace
	sums        sums
	part        int // goroutines that took part
	time        time.Duration
	begin, last trace.Time
	now         trace.Time
	got         map[stack.Place]*got
}

// A goroutine is what one is doing, and what it did last.
type goroutine struct {
	deed
	since   trace.Time
	began   trace.Time // to take part
	in      bool       // it takes part
	assists bool       // it helps the collector while it is on a processor
	last    [remembered]interval
	next    int // of last
}

// remembered is how many deeds of a goroutine are kept for those who waited for it.
const remembered = 32

type interval struct {
	deed
	from, to trace.Time
	woken    stack.Place // of a wait that another ended: where that was
	by       stack.Place // and where that one had waited for a lock last
}

func (r *reading) event(e trace.Event) {
	r.now = e.Time()
	switch e.Kind() {
	case trace.EventSync:
		clear(r.stacks)
	case trace.EventStateTransition:
		if s := e.StateTransition(); s.Resource.Kind == trace.ResourceGoroutine {
			r.transition(e, s)
		}
	case trace.EventRegionBegin, trace.EventRegionEnd:
		if e.Region().Type == Mark {
			r.takePart(r.of(e.Goroutine()), e.Kind() == trace.EventRegionBegin)
		}
	case trace.EventRangeBegin, trace.EventRangeActive, trace.EventRangeEnd:
		if s := e.Range(); s.Name == "GC mark assist" && s.Scope.Kind == trace.ResourceGoroutine {
			r.assist(r.of(s.Scope.Goroutine()), e.Kind() != trace.EventRangeEnd)
		}
	}
}

func (r *reading) of(id trace.GoID) *goroutine {
	g := r.goroutines[id]
	if g == nil {
		g = &goroutine{deed: deed{kind: stack.Unknown}, since: r.now}
		r.goroutines[id] = g
	}
	return g
}

// transition follows a goroutine to another state.
func (r *reading) transition(e trace.Event, s trace.StateTransition) {
	id := s.Resource.Goroutine()
	from, to := s.Goroutine()
	g := r.of(id)
	if from == trace.GoWaiting && to == trace.GoRunnable && e.Goroutine() != trace.NoGoroutine && e.Goroutine() != id {
		defer r.woken(g, e)
	}
	switch to {
	case trace.GoNotExist:
		r.become(g, deed{kind: stack.Unknown})
		delete(r.goroutines, id)
	case trace.GoRunnable:
		r.become(g, deed{kind: stack.Runnable})
	case trace.GoRunning:
		r.become(g, g.running())
	case trace.GoSyscall:
		at := r.look(s.Stack)
		r.become(g, deed{at.Call, at.Place})
	case trace.GoWaiting:
		at := r.look(s.Stack)
		r.become(g, deed{at.OfWait(s.Reason), at.Place})
	}
}

// running is what a goroutine does that is on a processor.
func (g *goroutine) running() deed {
	if g.assists {
		return deed{kind: stack.Collector}
	}
	return deed{kind: stack.Running}
}

// become ends what a goroutine was doing.
func (r *reading) become(g *goroutine, next deed) {
	if g.in {
		r.sums.add(g.deed, r.since(g.since))
	}
	g.last[g.next%remembered] = interval{deed: g.deed, from: g.since, to: r.now}
	g.next++
	g.deed, g.since = next, r.now
}

func (r *reading) since(t trace.Time) time.Duration { return r.now.Sub(t) }

func (r *reading) takePart(g *goroutine, in bool) {
	r.become(g, g.deed)
	if in == g.in {
		return
	}
	if g.in = in; !in {
		r.last = r.now
		r.ended(g)
		return
	}
	g.began = r.now
	if turn, waited := g.turn(); waited {
		r.sums.add(turn.deed, turn.to.Sub(turn.from))
		r.sums.add(g.last[(g.next-1)%remembered].deed, r.now.Sub(turn.to))
		g.began = turn.from
	}
	if r.part++; r.part == 1 {
		r.begin = g.began
	}
}

// turn is what a goroutine that says it takes part has waited for a processor before it could
// say so: it was let go by then, and where there are more goroutines than processors, its
// turn can come late.
func (g *goroutine) turn() (turn interval, waited bool) {
	if g.next < 2 || g.last[(g.next-1)%remembered].kind != stack.Running {
		return turn, false
	}
	turn = g.last[(g.next-2)%remembered]
	return turn, turn.kind == stack.Runnable
}

func (r *reading) ended(g *goroutine) { r.time += r.since(g.began) }

func (r *reading) assist(g *goroutine, assists bool) {
	on := g.deed == g.running()
	g.assists = assists
	if on {
		r.become(g, g.running())
	}
}

// woken notes who has just ended a wait, where, and what it did meanwhile.
func (r *reading) woken(g *goroutine, e trace.Event) {
	wait := &g.last[(g.next-1)%remembered]
	by := r.of(e.Goroutine())
	wait.woken, wait.by = r.look(e.Stack()).Place, by.waitedForLock()
	if wait.kind == stack.Lock {
		defer r.lockGot(*wait)
	}
	l := r.sums.parts[wait.kind][wait.place]
	if !g.in || l == nil || wait.kind != stack.Lock && wait.kind != stack.Condition && wait.kind != stack.Channel {
		return
	}
	w := l.wokenAt(wait.woken, wait.to.Sub(wait.from))
	w.during(interval{deed: by.deed, from: by.since, to: r.now}, *wait)
	for i := range min(by.next, remembered) {
		did := by.last[(by.next-1-i)%remembered]
		if did.deed == wait.deed || wait.kind == stack.Lock && r.sameLock(did, *wait) {
			return // it waited for the same, and had it from then on
		}
		w.during(did, *wait)
	}
}

// during adds as much of what was done as was done during a wait.
func (w *wake) during(did, wait interval) {
	if from, to := max(did.from, wait.from), min(did.to, wait.to); from < to {
		w.doing[did.deed] += to.Sub(from)
	}
}

// look finds out about a stack, once.
func (r *reading) look(s trace.Stack) stack.Seen {
	if at, ok := r.stacks[s]; ok {
		return at
	}
	var frames []stack.Frame
	for f := range s.Frames() {
		frames = append(frames, stack.Frame{Func: f.Func, File: f.File, Line: int(f.Line)})
	}
	at := stack.Look(frames)
	r.stacks[s] = at
	return at
}

// end ends the reading where the trace does.
func (r *reading) end(cut bool) (*Breakdown, error) {
	if r.part == 0 {
		return nil, ErrNobody
	}
	for _, g := range r.goroutines {
		if g.in {
			cut, r.last = true, r.now
			r.become(g, g.deed)
			r.ended(g)
		}
	}
	return &Breakdown{Goroutines: r.part, Window: r.last.Sub(r.begin), Time: r.time, Parts: r.sums.all(), Cut: cut}, nil
}
