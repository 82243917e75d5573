package harness

import (
	"math/rand/v2"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/pace"
	"github.com/syncwrite/syncwrite/results"
)

// An opening is how operations of the open loop are due in one trial.
type opening struct {
	due      []int64       // moments, in ns from the start
	span     int64         // of the window, in ns
	deadline time.Duration // what has not begun by then is not sent
}

// opening draws when the operations of a trial are due; nil in the closed loop.
func (w window) opening() *opening {
	if w.arrivals.Closed() {
		return nil
	}
	random := rand.New(rand.NewPCG(w.seed, 2))
	return &opening{w.arrivals.moments(w.span, random), int64(w.span), w.span + max(w.span, leastPatience)}
}

// leastPatience is how long after its window a trial of the open loop goes on to work
// off what is due, at least.
const leastPatience = time.Second

// A pacer hands over operations when they are due. Its goroutine waits for each
// moment; whoever is free takes what has come. What is due while nobody is free waits,
// and its latency counts from when it was due.
type pacer struct {
	*opening
	start   int64    // of the window
	arrived chan int // places in due
	alarm   *pace.Alarm
	quit    chan struct{} // closed when nobody takes any more
	ended   chan error
	late    hist.Histogram // how long after its moment each was handed over: the generator's own fault
}

// mostWaiting is how much can wait to be taken before the pacer waits, too.
const mostWaiting = 1 << 16

// The pacer sleeps so long at least: what is due meanwhile is handed over together, so
// much late. Waking for each of 50,000 operations a second cost twice the processor time
// of a request. Where many are due together, it sleeps longer.
const (
	grain       = int64(100 * time.Microsecond)
	coarseGrain = int64(500 * time.Microsecond)
	many        = 25 // due within coarseGrain: 50,000 a second
)

// sleeps is how long the pacer sleeps at least before it hands over the i-th.
func (o *opening) sleeps(i int) int64 {
	if i+many < len(o.due) && o.due[i+many]-o.due[i] <= coarseGrain {
		return coarseGrain
	}
	return grain
}

// newPacer returns nil for the closed loop, which needs none.
func newPacer(o *opening) (*pacer, error) {
	if o == nil {
		return nil, nil
	}
	alarm, err := pace.New()
	if err != nil {
		return nil, err
	}
	return &pacer{opening: o, alarm: alarm, arrived: make(chan int, min(len(o.due), mostWaiting)),
		quit: make(chan struct{}), ended: make(chan error, 1)}, nil
}

// begin begins to hand over what is due from now on.
func (p *pacer) begin(start int64) {
	if p == nil {
		return
	}
	p.start = start
	go func() {
		defer close(p.arrived)
		p.ended <- p.run()
	}()
}

func (p *pacer) run() error {
	free := int64(0) // since when nobody has kept it waiting
	awake := p.start // when it last woke
	for i, due := range p.due {
		if p.start+due > nanotime() {
			if err := p.alarm.Until(max(p.start+due, awake+p.sleeps(i))); err != nil {
				return err
			}
			awake = nanotime()
		}
		p.late.Record(nanotime() - p.start - max(due, free))
		select {
		case p.arrived <- i:
			continue
		default: // so much waits that the pacer does, too
		}
		select {
		case p.arrived <- i:
			free = nanotime() - p.start
		case <-p.quit:
			return nil
		}
	}
	return nil
}

// end waits for the pacer's goroutine, of which nobody takes any more.
func (p *pacer) end() error {
	if p == nil {
		return nil
	}
	close(p.quit)
	err := <-p.ended
	return first(err, p.alarm.Close())
}

// An opened is what one goroutine saw of the open loop.
type opened struct {
	response hist.Histogram // from when an operation was due to its end
	service  hist.Histogram // from its own start to its end
	lag      hist.Histogram // from when it was due to its start
	begun    int64          // when the last one was, in ns from the window's start
	ended    int            // within the window
	well     int            // of these, with success
	early    int64          // what those took that were due in its first quarter, summed, in ns
	earlyOps int
}

// end notes that an operation has ended, however it went.
func (o *opened) end(due, took, at, span int64) {
	if at <= span {
		o.ended++
	}
	if due < span/4 {
		o.early += took
		o.earlyOps++
	}
}

// answered records an operation that was due, began and ended at these moments, the last
// one being within the window or not.
func (o *opened) answered(due, began, ended int64, within bool) {
	if within {
		o.well++
	}
	o.response.Record(ended - due)
	o.service.Record(ended - began)
	o.lag.Record(began - due)
}

// takeDue is the open loop: the next operation starts when it is due, or as soon as
// this goroutine is free. After an error the rest is taken and not sent.
func (w *worker) takeDue(p *pacer) {
	for i := range p.arrived {
		due := p.start + p.due[i]
		before := nanotime()
		if w.stop.Load() || before-p.start > int64(p.deadline) {
			continue
		}
		w.opened.begun = before - p.start
		if err := w.op(); err != nil {
			w.fail(err)
			continue
		}
		now := nanotime()
		w.opened.end(p.due[i], now-before, now-p.start, p.span)
		if !w.sorting.sort(now-due, now-p.start) {
			continue
		}
		if w.done == 0 {
			w.first = now - before
		}
		w.done++
		w.opened.answered(due, before, now, now-p.start <= p.span)
	}
}

// collectOpen adds up what the workers saw of the open loop.
func (w window) collectOpen(t results.Trial, workers []*worker, p *pacer) results.Trial {
	var response, service, lag hist.Histogram
	o := &results.Open{Due: len(p.due), WindowNS: int64(w.span), EndNS: t.WallNS}
	early, earlyOps, well := int64(0), 0, 0
	for _, worker := range workers {
		response.Merge(&worker.opened.response)
		service.Merge(&worker.opened.service)
		lag.Merge(&worker.opened.lag)
		o.BegunNS = max(o.BegunNS, worker.opened.begun)
		o.Ended += worker.opened.ended
		well += worker.opened.well
		early += worker.opened.early
		earlyOps += worker.opened.earlyOps
	}
	o.EarlyNS = results.Number(early) / results.Number(earlyOps)
	o.Unsent, o.Well = o.Due-t.Ops-t.Failed, &well
	if o.Due > 0 {
		o.LastNS = p.due[o.Due-1]
	}
	latency := func(h *hist.Histogram) results.Latency { return results.NewLatency(h, results.Each).Above(w.floor) }
	t.Latency, o.Serve, o.Lag, o.Late = latency(&response), latency(&service), latency(&lag), latency(&p.late)
	o.CountUsual(p.due)
	t.Naive = results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()}
	t.Open = o
	return t
}
