package harness

import (
	"context"
	"math"
	"runtime"
	"time"
)

const (
	// probeWindow is how long the last probe of a cell lasts at least.
	probeWindow = 8 * time.Millisecond
	// eachFrom is how long an operation takes a processor, at least, if every one is
	// timed: two clock readings then cost less than 4 %, a chained one 2 %.
	eachFrom = 1200 // ns
)

// probe finds how fast each cell of the group is and how its operations are
// to be timed. It is the group's warm-up, too.
func (r *runner) probe(ctx context.Context, g *group) error {
	ops := 0
	g.each = true
	if g.variant.Observe != nil {
		g.unprobed(r)
		return nil
	}
	for i, p := range g.cells {
		took, err := r.probeCell(ctx, p, max(ops, p.goroutines))
		if err != nil {
			return err
		}
		if i == 0 && took < eachFrom {
			g.each = false
			if _, err := r.probeCell(ctx, p, p.ops); err != nil {
				return err
			}
		}
		ops = p.ops
	}
	return nil
}

// probeCell repeats trials of the cell with more and more operations until one
// is long enough to be believed. It returns how long a processor has had for an
// operation, in ns: of what it took a goroutine the most part can be waiting for
// the others.
func (r *runner) probeCell(ctx context.Context, p *planned, ops int) (took float64, err error) {
	fixed := r.fixed(p)
	if fixed > 0 {
		ops = fixed
	}
	for {
		began := time.Now()
		t, err := r.window(p, ops).measure(ctx)
		if err != nil {
			return 0, err
		}
		p.ops, p.rate = ops, t.OpsPerS()
		p.outside = time.Since(began).Seconds() - float64(t.WallNS)/1e9
		if fixed > 0 || t.WallNS >= probeWindow.Nanoseconds() {
			processors := min(runtime.GOMAXPROCS(0), runtime.NumCPU(), p.goroutines)
			return float64(t.Latency.MeanNS) * float64(processors) / float64(p.goroutines), nil
		}
		ops = grow(ops, t.WallNS)
	}
}

// observed is how long a trial without a rate is expected to take: the start
// of a process.
const observed = 20 * time.Millisecond

// unprobed plans the trials of a group that has no rate to find.
func (g *group) unprobed(r *runner) {
	for _, p := range g.cells {
		p.ops = r.fixed(p)
		p.rate = float64(p.ops) / observed.Seconds()
	}
}

// fixed is the number of operations that the user or the variant named for a
// trial of the cell; 0 if it is to be calibrated.
func (r *runner) fixed(p *planned) int {
	if p.variant.PerGoroutine > 0 {
		return p.variant.PerGoroutine * p.goroutines
	}
	return r.config.Ops
}

// grow aims past the probe window, in steps of at most a hundredfold: a first
// probe of one operation says little.
func grow(ops int, wallNS int64) int {
	factor := 1.5 * float64(probeWindow) / float64(wallNS)
	return int(math.Ceil(float64(ops) * min(max(factor, 1.5), 100)))
}

// fit sets the operations of every group so that the windows of a group last
// the configured mean, its fastest cell the floor, and the run its budget.
func (r *runner) fit(groups []*group, spent time.Duration) {
	share := 1.0 // of each group's window
	budget := r.config.Budget.Seconds()
	// Shrinking the window does not shrink what is outside of it or above the
	// floor, so a few rounds are needed.
	for range 8 {
		for _, g := range groups {
			if !g.failed {
				r.fitGroup(g, g.window.Seconds()*share)
			}
		}
		left := budget - spent.Seconds()
		inside, outside := r.expected(groups)
		if budget == 0 || inside+outside <= left {
			return
		}
		share *= max((left-outside)/inside, 0.1)
	}
}

func (r *runner) fitGroup(g *group, window float64) {
	if r.fixed(g.cells[0]) > 0 {
		return
	}
	perOp, fastest := 0.0, 0.0
	for _, p := range g.cells {
		perOp += 1 / p.rate
		fastest = max(fastest, p.rate)
	}
	ops := window * float64(len(g.cells)) / perOp
	ops = max(ops, fastest*min(floorWindow.Seconds(), window))
	for _, p := range g.cells {
		p.ops = max(int(ops), g.most())
	}
}

// most is the highest level of N: every goroutine does at least one operation.
func (g *group) most() int {
	most := 0
	for _, p := range g.cells {
		most = max(most, p.goroutines)
	}
	return most
}

// expected is the time that all blocks will take inside and outside windows,
// in seconds, the warm-up included.
func (r *runner) expected(groups []*group) (inside, outside float64) {
	for _, p := range cells(groups) {
		inside += float64(p.ops) / p.rate * float64(r.config.Trials)
		outside += p.outside * float64(r.config.Trials)
	}
	return inside, outside
}
