package harness

import (
	"context"
	"math"
	"runtime"
	"time"
)

const (
	// probeWindow is how much longer than the first the last probe of a cell
	// lasts at least.
	probeWindow = 8 * time.Millisecond
	// probeOps is how many operations more it has, if that takes no longer than
	// longProbe: a few of a disk's say little of the next.
	probeOps  = 32
	longProbe = 100 * time.Millisecond
)

// probe finds how fast each cell of the series is and how its operations are
// to be timed. It is the series's warm-up, too.
func (r *runner) probe(ctx context.Context, g *series) error {
	ops := 0
	g.Sampling = eachTimed
	if g.variant.Observe != nil {
		g.unprobed(r)
		return nil
	}
	if g.byTime {
		g.untouched()
		return nil
	}
	if !g.arrivals.Closed() {
		return r.probeOpen(ctx, g)
	}
	for i, p := range g.cells {
		g.probing = p
		if err := r.probeCell(ctx, p, max(ops/4, p.goroutines)); err != nil {
			return err
		}
		if i == 0 && p.took() < eachFrom { // to read the clock each time may be most of it
			g.Sampling = oneIn128
			if err := r.probeCell(ctx, p, p.Ops); err != nil {
				return err
			}
			g.Sampling = short(p.took())
		}
		ops = p.Ops
	}
	return nil
}

// took is how long a processor has for an operation, in ns: of what it takes a
// goroutine the most part can be waiting for the others.
func (p *planned) took() float64 {
	return float64(min(runtime.GOMAXPROCS(0), runtime.NumCPU(), p.goroutines)) / p.Rate * 1e9
}

// probeCell measures trials of the cell until it knows how fast it is.
func (r *runner) probeCell(ctx context.Context, p *planned, ops int) error {
	if fixed := r.fixed(p); fixed > 0 {
		seconds, err := r.probeTrial(ctx, p, fixed)
		if err == nil {
			p.Rate = float64(fixed) / seconds
		}
		return err
	}
	rate, startup, err := marginal(ops, func(ops int) (float64, error) { return r.probeTrial(ctx, p, ops) })
	if err == nil {
		p.Rate, p.Startup = rate, startup
	}
	return err
}

// probeTrial measures one trial of so many operations, and returns how many
// seconds its window lasted.
func (r *runner) probeTrial(ctx context.Context, p *planned, ops int) (seconds float64, err error) {
	p.Ops = ops
	progress := Progress{Calibrating: true, Done: r.state.Probed, Total: len(r.allSeries), Cell: p.name()}
	if err := r.doing(p, r.probeDeadline(p), progress); err != nil {
		return 0, err
	}
	began := time.Now()
	r.probes++
	t, err := r.window(p, 0, r.probes).measure(ctx)
	if err != nil {
		return 0, err
	}
	window := float64(max(t.WallNS, 1)) / 1e9
	p.series.perOp = window / float64(ops)
	p.Outside = time.Since(began).Seconds() - window
	return window, nil
}

// marginal finds how many operations a second more operations take, and what a
// window lasts besides: an instance whose first call opens something would
// otherwise pass for one whose calls are all as slow. It measures more and more
// operations until the last window is so much longer than the first that the
// difference is not that of two starts.
func marginal(ops int, seconds func(ops int) (float64, error)) (rate, startup float64, err error) {
	first, err := seconds(ops)
	if err != nil {
		return 0, 0, err
	}
	few, estimate := ops, first/float64(ops)
	for {
		ops = grow(ops, estimate)
		took, err := seconds(ops)
		if err != nil {
			return 0, 0, err
		}
		more, extra := float64(ops-few), took-first
		if extra <= 0 { // the first was slow for once, or how long it takes to start varies
			few, first, estimate = ops, took, took/float64(ops)
			continue
		}
		estimate = extra / more
		if extra >= muchLonger(first) && (extra >= longProbe.Seconds() || extra >= probeWindow.Seconds() && more >= probeOps) {
			return more / extra, max(first-float64(few)*estimate, 0), nil
		}
	}
}

// muchLonger is how much longer than the first the last probe has to be, since
// what it takes to start a window varies by a tenth and more: twice as much, or
// just as much where that alone takes a second.
func muchLonger(first float64) float64 {
	if first < 0.5 {
		return 2 * first
	}
	return 0.9 * first
}

// grow aims past the probe window and the least number of operations, in steps
// of twice to a hundred times as many: a first probe of one operation says
// little.
func grow(ops int, seconds float64) int {
	wanted := max(1.5*probeWindow.Seconds()/seconds, min(1.2*probeOps, longProbe.Seconds()/seconds))
	return ops + int(math.Ceil(min(max(wanted, float64(ops)), 99*float64(ops))))
}

// observed is how long a trial without a rate is expected to take: the start
// of a process.
const observed = 20 * time.Millisecond

// probeOpen runs each cell of an open loop once, for a moment: it is its warm-up.
func (r *runner) probeOpen(ctx context.Context, g *series) error {
	for _, p := range g.cells {
		g.probing = p
		p.due(leastWindow)
		if _, err := r.probeTrial(ctx, p, p.Ops); err != nil {
			return err
		}
	}
	return nil
}

// due plans a window of the open loop: its rate is such that it is as long as that.
func (p *planned) due(window time.Duration) {
	p.Ops = max(int(p.series.arrivals.expected(window, window)), 1)
	p.Rate = float64(p.Ops) / window.Seconds()
}

// untouched plans the trials of a series that is not to be probed.
func (g *series) untouched() {
	for _, p := range g.cells {
		if g.arrivals.Closed() {
			p.Ops, p.Rate = p.goroutines, float64(p.goroutines)/g.window.Seconds()
			continue
		}
		p.due(g.window)
	}
}

// unprobed plans the trials of a series that has no rate to find.
func (g *series) unprobed(r *runner) {
	for _, p := range g.cells {
		p.Ops = r.fixed(p)
		p.Rate = float64(p.Ops) / observed.Seconds()
	}
}

// fixed is the number of operations that the user or the variant named for a
// trial of the cell; 0 if it is to be calibrated.
func (r *runner) fixed(p *planned) int {
	if !p.series.arrivals.Closed() {
		return 0 // as many as are due
	}
	if p.variant.PerGoroutine > 0 {
		return p.variant.PerGoroutine * p.goroutines
	}
	return r.config.Ops
}
