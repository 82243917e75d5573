package harness

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A runner measures what is left of a run: from the state of one that another
// process began, or from the start.
type runner struct {
	config      Config
	experiments []Experiment
	allSeries   []*series
	state       *state
	keep        func(record any) error
	tell        func(*state) error // what comes next
	renew       bool               // leave what is stuck to a fresh process
	probes      uint64
}

// errRenew says that the run goes on in a fresh process.
var errRenew = errors.New("the run goes on in another process")

// all does what is left: environment and experiments, calibration, one
// discarded trial, the blocks, and where their time went.
func (r *runner) all(ctx context.Context) error {
	for _, step := range []func(context.Context) error{r.begin, r.calibrate, r.afresh, r.warmUp, r.blocks, r.explain} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin records where and how this run measures, and what.
func (r *runner) begin(ctx context.Context) error {
	if r.state.Overhead != nil {
		return nil
	}
	overhead, err := r.overhead(ctx)
	if err != nil {
		return err
	}
	env := environment(r.config, overhead, r.experiments[0])
	if r.config.BlocksApart {
		env.Settings.Processes = r.config.Trials
	}
	if err := r.keep(env); err != nil {
		return err
	}
	for _, e := range r.experiments {
		if err := r.keep(e.Describe().On(env.Disk.FileSystem)); err != nil {
			return err
		}
	}
	r.state.Overhead = &overhead
	return nil
}

// calibrate probes every series; one that fails is left out with an Outcome.
func (r *runner) calibrate(ctx context.Context) error {
	for ; r.state.Probed < len(r.allSeries); r.state.Probed++ {
		g := r.allSeries[r.state.Probed]
		if g.Failed {
			continue
		}
		if err := r.probe(ctx, g); err != nil {
			if err := r.lose(ctx, cmp.Or(g.probing, g.cells[0]), 0, err); err != nil {
				return err
			}
		}
	}
	if !r.state.Fitted {
		r.fit(r.allSeries, time.Since(r.state.Began))
		r.state.Fitted = true
	}
	return nil
}

// afresh leaves the first block to another process than that which calibrated.
func (r *runner) afresh(context.Context) error {
	if r.config.BlocksApart && r.probes > 0 {
		return errRenew
	}
	return nil
}

// warmUp measures one trial that is discarded: a process's first is slow.
func (r *runner) warmUp(ctx context.Context) error {
	for _, p := range cells(r.allSeries) {
		if p.series.lost() || p.variant.Observe != nil || p.series.byTime { // nothing is warm in a process of its own, nor asked for twice
			continue
		}
		if err := r.doing(p, r.deadline(p), Progress{Calibrating: true, Done: len(r.allSeries) - 1, Total: len(r.allSeries), Cell: p.name()}); err != nil {
			return err
		}
		if _, err := r.window(p, 0, 0).measure(ctx); err != nil {
			return r.lose(ctx, p, r.state.due(r.config.Trials), err)
		}
		return nil
	}
	return nil
}

// blocks measures every cell once per block, in random order. The seed fixes
// it, however often and where the run was taken up again.
func (r *runner) blocks(ctx context.Context) error {
	for r.state.Block <= r.config.Trials {
		random := rand.New(rand.NewPCG(r.state.Seed, uint64(r.state.Block)))
		block := shuffled(cells(r.allSeries), random)
		for ; r.state.Index < len(block); r.state.Index++ {
			if err := r.trial(ctx, block[r.state.Index]); err != nil {
				return err
			}
		}
		r.state.Index = 0
		r.state.Block++
		if r.config.BlocksApart && r.state.Block <= r.config.Trials {
			return errRenew
		}
	}
	return nil
}

// trial measures one cell once and keeps what it found.
func (r *runner) trial(ctx context.Context, p *planned) error {
	if p.series.Failed {
		return nil
	}
	if err := r.doing(p, r.deadline(p), r.progress(p)); err != nil {
		return err
	}
	block, position := r.state.Block, r.state.Index+1
	w := r.window(p, block, uint64(position))
	if p.variant.Observe != nil {
		return r.observe(ctx, p, w)
	}
	t, err := w.measure(ctx)
	if err != nil {
		return r.lose(ctx, p, block, err)
	}
	if t = r.judged(t, p); !r.again(t, p) {
		return r.keepTrial(t, p)
	}
	second, err := r.measureAgain(ctx, p, w)
	if err != nil { // the first stands
		return first(r.keepTrial(t, p), r.lose(ctx, p, block, err))
	}
	rate := results.Number(t.OpsPerS())
	second.InsteadOf = &rate
	return r.keepTrial(r.judged(second, p), p)
}

// judged is a trial with its place and its doubts.
func (r *runner) judged(t results.Trial, p *planned) results.Trial {
	t.Block, t.Position = r.state.Block, r.state.Index+1
	t.Warnings = append(t.Warnings, trialWarnings(t, p)...)
	if r.state.Stuck {
		t.Warnings = append(t.Warnings, stuckWarning())
	}
	return t
}

func (r *runner) keepTrial(t results.Trial, p *planned) error {
	p.Rates = append(p.Rates, t.OpsPerS())
	return r.keep(t)
}

// observe keeps how one trial of a variant without a rate went.
func (r *runner) observe(ctx context.Context, p *planned, w window) error {
	seen, err := w.look(ctx)
	if err != nil {
		return r.lose(ctx, p, r.state.Block, err)
	}
	o := p.outcome(r.state.Block)
	o.Kind, o.Text = results.OutcomeFinished, seen.Text
	if seen.Ended {
		o.Kind = results.OutcomeEnded
	}
	return r.keep(o)
}

func (p *planned) outcome(block int) results.Outcome {
	return results.Outcome{Experiment: p.experiment, Variant: p.variant.Name, Factors: p.factors, Goroutines: p.goroutines, Block: block}
}

// lose ends a series with an Outcome, unless it was the run that was cancelled.
func (r *runner) lose(ctx context.Context, p *planned, block int, cause error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f := asFailure(cause)
	p.series.lose()
	r.state.Stuck = r.state.Stuck || f.stuck
	o := p.outcome(block)
	o.Kind, o.Text, o.Dump = results.OutcomeError, results.OneLine(f.Error()), lines(f.dump)
	if err := r.keep(o); err != nil || !f.stuck || !r.renew {
		return err
	}
	return errRenew
}

// lines are those of a dump, indented by spaces.
func lines(dump string) []string {
	if dump == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSpace(dump), "\t", "  "), "\n")
}

// window makes a trial of a cell, with a seed of its own.
func (r *runner) window(p *planned, block int, number uint64) window {
	seed := rand.NewPCG(r.state.Seed, uint64(block)<<32|number).Uint64()
	return window{
		cell: p.cell, ops: p.Ops, sampling: p.series.Sampling, seed: seed, root: r.config.Dir,
		arrivals: p.series.arrivals, byTime: p.series.byTime, span: time.Duration(float64(p.Ops) / p.Rate * 1e9),
		clock: int64(r.state.Overhead.ClockNS), floor: r.state.Overhead.FloorNS, deadline: r.state.Deadline,
	}
}

// doing tells what comes next.
func (r *runner) doing(p *planned, deadline time.Duration, progress Progress) error {
	s := r.state
	s.Cell, s.Factors, s.At, s.Deadline, s.Progress = p.name(), p.factors, p.series.index, deadline, progress
	return r.tell(s)
}

// progress is where the blocks stand.
func (r *runner) progress(p *planned) Progress {
	left, all := 0.0, cells(r.allSeries)
	for _, c := range all {
		if !c.series.Failed {
			left += c.seconds()
		}
	}
	done := (r.state.Block-1)*len(all) + r.state.Index
	total := r.config.Trials * len(all)
	left *= float64(total-done) / float64(len(all))
	return Progress{Done: done, Total: total, Cell: p.name(), Left: time.Duration(left * 1e9)}
}

const (
	leastDeadline = 20 * time.Second
	patience      = 20               // times as long as planned
	unplanned     = 10 * time.Minute // for a number of operations that was named
)

// deadline is how long a trial of the cell may take.
func (r *runner) deadline(p *planned) time.Duration {
	if r.config.Timeout > 0 {
		return r.config.Timeout
	}
	return max(leastDeadline, time.Duration(patience*p.seconds()*1e9)) + p.patience
}

// probeDeadline is how long a probe may take: longer where those before it did.
func (r *runner) probeDeadline(p *planned) time.Duration {
	switch {
	case r.config.Timeout > 0:
		return r.config.Timeout
	case r.fixed(p) > 0:
		return unplanned
	}
	return max(leastDeadline, time.Duration(patience*p.series.perOp*float64(p.Ops)*1e9))
}
