package harness

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// runner carries one run.
type runner struct {
	config Config
	run    *results.Run
	random *rand.Rand
	clock  int64
	began  time.Time
	total  int
	done   int
	ahead  float64 // seconds that are expected to be left
}

// Run measures the experiments and returns what was found. If ctx is
// cancelled, it returns the finished trials with ctx's error. A variant whose
// operation fails leaves an Outcome and is not run again; the others go on.
// Errors of the configuration are returned before anything is measured.
func Run(ctx context.Context, config Config, experiments ...Experiment) (*results.Run, error) {
	config = config.withDefaults()
	if err := config.Check(); err != nil {
		return nil, err
	}
	if len(experiments) == 0 {
		return nil, errors.New("no experiment to run")
	}
	groups, err := plan(config, experiments)
	if err != nil {
		return nil, err
	}
	for config.Seed == 0 {
		config.Seed = rand.Uint64() >> 11 // short enough for any JSON reader
	}
	r := &runner{
		config: config, run: &results.Run{}, began: time.Now(),
		random: rand.New(rand.NewPCG(config.Seed, 0)),
	}
	err = r.all(ctx, groups, experiments)
	return r.run, first(err, r.end(err))
}

// all records the environment and the experiments, calibrates, and runs the
// blocks.
func (r *runner) all(ctx context.Context, groups []*group, experiments []Experiment) error {
	overhead, err := r.overhead(ctx)
	if err != nil {
		return err
	}
	r.clock = int64(overhead.ClockNS)
	env := environment(r.config, overhead, experiments[0])
	if err := r.keep(env); err != nil {
		return err
	}
	for _, e := range experiments {
		if err := r.keep(e.Describe().On(env.Disk.FileSystem)); err != nil {
			return err
		}
	}
	if err := r.calibrate(ctx, groups); err != nil {
		return err
	}
	return r.blocks(ctx, groups)
}

// calibrate probes every group; one that fails is left out with an Outcome.
func (r *runner) calibrate(ctx context.Context, groups []*group) error {
	for i, g := range groups {
		r.tell(Progress{Calibrating: true, Done: i, Total: len(groups), Cell: g.cells[0].name()})
		if err := r.probe(ctx, g); err != nil {
			if err := r.lose(ctx, g.cells[0], 0, err); err != nil {
				return err
			}
		}
	}
	r.fit(groups, time.Since(r.began))
	return nil
}

// blocks runs one discarded trial (a process's first is slow), then every
// cell once per block in random order. The seed fixes it: how much calibrating
// drew depends on the machine, so drawing starts anew.
func (r *runner) blocks(ctx context.Context, groups []*group) error {
	r.random = rand.New(rand.NewPCG(r.config.Seed, 1))
	all := cells(groups)
	if len(all) == 0 {
		return nil
	}
	r.total = len(all) * r.config.Trials
	for _, p := range all {
		r.ahead += p.seconds() * float64(r.config.Trials)
	}
	if err := r.warmUp(ctx, all[0]); err != nil {
		return err
	}
	for block := 1; block <= r.config.Trials; block++ {
		for i, p := range shuffled(all, r.random) {
			if err := r.trial(ctx, p, block, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) warmUp(ctx context.Context, p *planned) error {
	if p.variant.Observe != nil {
		return nil // there is nothing to warm in a process of its own
	}
	if _, err := r.window(p, p.ops).measure(ctx); err != nil {
		return r.lose(ctx, p, 0, err)
	}
	return nil
}

// trial measures one cell once and keeps what it found.
func (r *runner) trial(ctx context.Context, p *planned, block, position int) error {
	defer func() { r.done++; r.ahead -= p.seconds() }()
	if p.group.failed {
		return nil
	}
	r.tell(Progress{Done: r.done, Total: r.total, Cell: p.name(), Left: time.Duration(r.ahead * 1e9)})
	if p.variant.Observe != nil {
		return r.observe(ctx, p, block)
	}
	t, err := r.window(p, p.ops).measure(ctx)
	if err != nil {
		return r.lose(ctx, p, block, err)
	}
	t.Block, t.Position = block, position
	t.Warnings = trialWarnings(t)
	return r.keep(t)
}

// observe keeps how one trial of a variant without a rate went.
func (r *runner) observe(ctx context.Context, p *planned, block int) error {
	seen, err := r.window(p, p.ops).look(ctx)
	if err != nil {
		return r.lose(ctx, p, block, err)
	}
	kind := results.OutcomeFinished
	if seen.Ended {
		kind = results.OutcomeEnded
	}
	return r.keep(results.Outcome{
		Experiment: p.experiment, Variant: p.variant.Name, Factors: p.factors,
		Goroutines: p.goroutines, Block: block, Kind: kind, Text: seen.Text,
	})
}

// lose ends a group with an Outcome, unless it was the run that was cancelled.
func (r *runner) lose(ctx context.Context, p *planned, block int, cause error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.group.failed = true
	return r.keep(results.Outcome{
		Experiment: p.experiment, Variant: p.variant.Name, Factors: p.factors,
		Goroutines: p.goroutines, Block: block, Kind: results.OutcomeError, Text: oneLine(cause),
	})
}

// oneLine joins the lines of an error: it is told in one.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// window makes a trial of a cell, with a seed of its own.
func (r *runner) window(p *planned, ops int) window {
	return window{cell: p.cell, ops: ops, each: p.group.each, clock: r.clock, seed: r.random.Uint64(), root: r.config.Dir}
}

// keep takes a record into the run and hands it to Config.Record.
func (r *runner) keep(record any) error {
	record = results.PrintableRecord(record) // as whoever reads the results would have it
	switch record := record.(type) {
	case results.Env:
		r.run.Envs = append(r.run.Envs, record)
	case results.Experiment:
		r.run.Experiments = append(r.run.Experiments, record)
	case results.Trial:
		r.run.Trials = append(r.run.Trials, record)
	case results.Outcome:
		r.run.Outcomes = append(r.run.Outcomes, record)
	case results.End:
		r.run.Ends = append(r.run.Ends, record)
	}
	if r.config.Record == nil {
		return nil
	}
	return r.config.Record(record)
}

// end records how the run ended, once it had begun to record at all.
func (r *runner) end(err error) error {
	if len(r.run.Envs) == 0 {
		return nil
	}
	status := results.Complete
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		status = results.Interrupted
	case err != nil, len(r.run.Errors()) > 0:
		status = results.Failed
	}
	return r.keep(results.End{Status: status, WallNS: time.Since(r.began).Nanoseconds(), LoadAfter: loadAverage()})
}

func (r *runner) tell(p Progress) {
	if r.config.Progress != nil {
		r.config.Progress(p)
	}
}

// Estimate is how long a run will take at most, before anything is measured.
func Estimate(config Config, experiments ...Experiment) (time.Duration, error) {
	config = config.withDefaults()
	if err := config.Check(); err != nil {
		return 0, err
	}
	groups, err := plan(config, experiments)
	if err != nil {
		return 0, err
	}
	whole := time.Duration(0)
	for _, p := range cells(groups) {
		perTrial := p.group.window + 15*time.Millisecond                     // opening, collecting, removing
		whole += time.Duration(config.Trials)*perTrial + 40*time.Millisecond // calibration
	}
	if config.Budget > 0 {
		whole = min(whole, config.Budget)
	}
	return whole, nil
}
