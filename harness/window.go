package harness

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/internal/cause/profiled"
	"github.com/syncwrite/syncwrite/internal/cause/traced"
	"github.com/syncwrite/syncwrite/results"
)

// A window is one trial to be measured.
type window struct {
	cell cell
	ops  int
	sampling
	clock int64          // cost of a clock reading, ns
	floor results.Number // of what the clock can time, ns
	seed  uint64
	root  string // where fresh directories are made

	arrivals Arrivals      // none: the closed loop
	span     time.Duration // in which operations are due, in the open one; how long a window by time lasts
	byTime   bool

	deadline time.Duration // 0: none
	traced   bool          // goroutines mark when they take part

	begun *results.Number // how many goroutines of the process began within it, if that is asked; missing where the runtime does not say
}

// measure runs the window. It returns ctx's error if it was cancelled; any
// other error is the variant's own.
func (w window) measure(ctx context.Context) (results.Trial, error) {
	failing := make(chan error, 1)
	return attempt(ctx, w.deadline, failing, func() (results.Trial, error) { return w.trial(ctx, failing) })
}

func (w window) trial(ctx context.Context, failing chan<- error) (trial results.Trial, err error) {
	dir, err := os.MkdirTemp(w.root, "trial-")
	if err != nil {
		return trial, fmt.Errorf("make a directory for the trial: %w", err)
	}
	defer func() { err = first(err, os.RemoveAll(dir)) }()
	defer currentSettings().restore()
	if others := othersAtWork(); others > 0 {
		defer func() { trial.Warnings = append(trial.Warnings, leftOver(others)) }()
	}
	if w.cell.variant.Elsewhere != nil {
		return w.elsewhere(ctx, dir)
	}
	slot := &guardSlot{sampling: w.sampling, clock: w.clock, seed: w.seed}
	ours := runtime.NumGoroutine()
	instance, err := w.cell.variant.Open(w.setup(ctx, dir, slot))
	if err != nil {
		return trial, err
	}
	if instance.Close != nil {
		defer func() { err = first(err, instance.Close()) }()
	}
	trial, err = w.observe(ctx, instance, slot, ours, failing)
	if err != nil {
		return trial, err
	}
	trial.Guard = slot.record(trial.WallNS)
	if instance.Check != nil {
		if err := instance.Check(trial.Ops); err != nil {
			return trial, err
		}
	}
	trial.Lost, err = w.lost(instance, trial.Ops)
	return trial, err
}

// lost counts the operations that were without effect, where the promise lets
// some be: a loss that nobody counts would make a rate of what was not done.
func (w window) lost(instance Instance, ops int) (*int, error) {
	lossy := w.cell.variant.Promise.Result == results.Lossy
	switch {
	case !lossy && instance.Lost == nil:
		return nil, nil
	case !lossy:
		return nil, errors.New("it counts losses, and its promise allows none")
	case instance.Lost == nil:
		return nil, errors.New("its promise is a lossy result, and it counts no losses")
	}
	lost, err := instance.Lost(ops)
	if err == nil && (lost < 0 || lost > ops) {
		err = fmt.Errorf("%d of %d operations lost", lost, ops)
	}
	return &lost, err
}

// look runs a trial that has no rate, in a fresh directory.
func (w window) look(ctx context.Context) (Observation, error) {
	return attempt(ctx, w.deadline, nil, func() (Observation, error) { return w.seen(ctx) })
}

func (w window) seen(ctx context.Context) (seen Observation, err error) {
	dir, err := os.MkdirTemp(w.root, "trial-")
	if err != nil {
		return seen, fmt.Errorf("make a directory for the trial: %w", err)
	}
	defer func() { err = first(err, os.RemoveAll(dir)) }()
	defer currentSettings().restore()
	seen, err = w.cell.variant.Observe(w.setup(ctx, dir, &guardSlot{}))
	return seen, first(ctx.Err(), err)
}

// setup is what the variant is told.
func (w window) setup(ctx context.Context, dir string, slot *guardSlot) Setup {
	return Setup{
		Context: ctx, Dir: dir, Factors: w.cell.factors, Goroutines: w.cell.goroutines,
		Ops: w.ops, Window: w.span, Seed: w.seed, guard: slot,
	}
}

// observe opens the barrier and waits for the last goroutine. Everything that
// allocates or looks around happens before the clock starts or after it ends.
// There were ours goroutines before the instance was opened: those that came since
// are its own, and what the process waits for at locks is theirs as well.
func (w window) observe(ctx context.Context, instance Instance, slot *guardSlot, ours int, failing chan<- error) (results.Trial, error) {
	pacer, err := newPacer(w.opening())
	if err != nil {
		return results.Trial{}, err
	}
	stop := &atomic.Bool{}
	workers := w.workers(instance, pacer, stop, failing)
	runtime.GC()
	besides := max(runtime.NumGoroutine()-ours, 0)
	barrier := make(chan struct{})
	var ready, finished sync.WaitGroup
	for _, worker := range workers {
		ready.Add(1)
		finished.Go(func() {
			ready.Done()
			<-barrier
			if w.traced {
				defer traced.Begin()()
			}
			worker.run()
		})
	}
	ready.Wait()
	release := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer release()
	ending := ctx.Done()
	others, calls := usedBy(instance), callsOf(instance)
	held := results.HeldTo(others)
	created := uint64(0)
	if w.begun != nil {
		created = profiled.Created()
	}
	before := cause.Take(held...)

	start := nanotime()
	for _, worker := range workers {
		worker.begins(start, w.span, ending)
	}
	pacer.begin(start)
	slot.open.Store(true)
	close(barrier)
	finished.Wait()
	paceErr := pacer.end()
	accepted, end, finishErr := finish(workers, instance)

	if w.begun != nil {
		*w.begun = profiled.Begun(created, profiled.Created())
	}
	usage := cause.Take(held...).Since(before)
	covered := nanotime() - start
	if err := ctx.Err(); err != nil {
		return results.Trial{}, err
	}
	trial, err := w.collect(workers, pacer, start, end)
	if err == nil {
		trial, err = w.collectKinds(trial, instance.Kinds, workers)
	}
	if instance.Finish != nil {
		trial.AcceptedNS = accepted - start
		if trial.Open != nil {
			trial.Open.FinishNS = end - accepted
		}
	}
	trial.Usage, trial.UsageNS, trial.Besides = usage, covered, besides
	trial.Processes = usedSince(others, usedBy(instance))
	trial.Calls = callsOf(instance) - calls
	return trial, first(first(err, paceErr), finishErr)
}

// callsOf is how many requests an instance has sent so far, where it counts them.
func callsOf(instance Instance) int {
	if instance.Calls == nil {
		return 0
	}
	return instance.Calls()
}

// finish runs the instance's Finish inside the window and returns when the
// last goroutine ended and when all was done.
func finish(workers []*worker, instance Instance) (accepted, end int64, err error) {
	for _, worker := range workers {
		accepted = max(accepted, worker.end)
	}
	if instance.Finish == nil {
		return accepted, accepted, nil
	}
	err = instance.Finish()
	return accepted, nanotime(), err
}

// workers divides the operations: every goroutine has one of its own, and the
// others are dealt out as they go. Where the variant says how many each does,
// each does them.
func (w window) workers(instance Instance, pacer *pacer, stop *atomic.Bool, failing chan<- error) []*worker {
	random := rand.New(rand.NewPCG(w.seed, 1))
	n, own := w.cell.goroutines, 1
	if w.cell.variant.PerGoroutine > 0 {
		own = w.ops / n
	}
	all := newDeal(w.ops, w.ops-own*n, n)
	workers := make([]*worker, n)
	var line *timeline
	if instance.Request != nil {
		line = newTimeline(w.span)
	}
	for g := range workers {
		workers[g] = &worker{
			own: own, deal: all, sampling: w.sampling, clock: w.clock,
			random: random.Uint64() | 1, stop: stop, failing: failing, hist: new(hist.Histogram),
			pacer: pacer, sorting: w.newSorting(instance, line, g),
		}
		if workers[g].sorting != nil {
			workers[g].op = workers[g].sorting.one
		} else {
			workers[g].op = instance.Worker(g)
		}
		if pacer != nil {
			workers[g].opened = new(opened)
		}
	}
	return workers
}

// collect adds up what the workers saw. Operations and goroutines are counted,
// not assumed: a count that does not meet the plan is an error.
func (w window) collect(workers []*worker, pacer *pacer, start, end int64) (results.Trial, error) {
	t := results.Trial{
		Experiment: w.cell.experiment, Variant: w.cell.variant.Name, Factors: w.cell.factors,
		Goroutines: w.cell.goroutines, WallNS: end - start,
	}
	all := new(hist.Histogram)
	var chunk int64
	var failure error
	for _, worker := range workers {
		t.Ops += worker.done
		t.Failed += worker.sorting.failures()
		if worker.err != nil {
			t.Failed++
			failure = first(failure, worker.err)
		}
		if worker.start == 0 {
			continue
		}
		t.Started++
		t.GoroutineNS += worker.end - start
		t.StartWaitNS += worker.start - start
		chunk = max(chunk, worker.chunkMax)
		all.Merge(worker.hist)
	}
	t.FirstNS, t.LaterNS = firstOnes(workers), later(workers)
	if ns, ops := workers[0].deal.half(); ns > 0 {
		t.HalfOps, t.HalfNS = ops, ns-start
	}
	if failure != nil {
		return t, failure
	}
	if pacer != nil {
		return w.collectOpen(t, workers, pacer), nil
	}
	if w.byTime { // as many as there was time for
		t.Latency = results.NewLatency(all, results.Each).Above(w.floor)
		t.Naive = results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()}
		return t, nil
	}
	if t.Started != w.cell.goroutines || t.Ops != w.ops {
		return t, fmt.Errorf("%d of %d goroutines did %d of %d operations", t.Started, w.cell.goroutines, t.Ops, w.ops)
	}
	t.Latency = w.latency(all, t, chunk)
	t.Naive = naive(t)
	return t, nil
}

// firstOnes is how long the first operation of a goroutine took on average, in ns: what
// share of the window that is, is what first operations take of the goroutines' time, be
// they slow in all of them, in all but one or in one that started late. It is 0 where no
// goroutine did one.
func firstOnes(workers []*worker) int64 {
	ns, did := int64(0), int64(0)
	for _, w := range workers {
		if w.done > 0 {
			ns += w.first
			did++
		}
	}
	return ns / max(did, 1)
}

// later is how long operations took their goroutines on average, in ns, once the first
// of each was done: while one of those lasts, the others may be waiting for it. It is 0
// where no goroutine did a second one.
func later(workers []*worker) int64 {
	ns, ops := int64(0), 0
	for _, w := range workers {
		if w.done > 1 {
			ns += w.end - w.start - w.first
			ops += w.done - 1
		}
	}
	if ops == 0 {
		return 0
	}
	return max(ns/int64(ops), 1)
}

// latency takes the mean from the goroutines' time, which is exact also where
// operations are sampled. Where goroutines ended one after another, there is no
// time at which N were at work, and no mean of it.
func (w window) latency(all *hist.Histogram, t results.Trial, chunk int64) results.Latency {
	mode := results.Sampled
	if w.sampling == eachTimed {
		mode = results.Each
	}
	l := results.NewLatency(all, mode)
	l.MeanNS = results.Missing()
	if t.EffectiveGoroutines() >= effectiveShare*float64(t.Goroutines) {
		l.MeanNS = results.Number(t.GoroutineNS) / results.Number(t.Ops)
	}
	if w.sampling != eachTimed {
		l.ChunkNS = results.Number(chunk)
	}
	return l.Above(w.floor)
}

// naive is what adding up the clients' latencies would claim.
func naive(t results.Trial) results.Naive {
	sum := results.Number(t.GoroutineNS)
	return results.Naive{SummedLatencyNS: sum, OpsPerS: results.Number(t.Ops) / sum * 1e9}
}

// first keeps the error that came first: what follows a failure is mostly its
// echo, and an error is told in one line.
func first(err, later error) error {
	if err != nil {
		return err
	}
	return later
}
