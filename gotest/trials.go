package gotest

import (
	"regexp"
	"strconv"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// Results are the trials as results: a package is an experiment and each of its
// benchmarks a variant, an operation of its own that is ranked against no
// other. A benchmark that is repeated (-count) gets a block each time, whether that is a trial or
// not: what is paired with it ran in the same repetition. Of one that was
// repeated more often than that there is no trial (see Errors).
//
// The cell of a trial says its GOMAXPROCS, whatever -cpu was, so that runs of
// different ones never meet. A serial benchmark keeps the suffix in its name, which
// no parallel one then ends with. Of a parallel one the goroutines say it, since they
// are GOMAXPROCS times its parallelism; one that called SetParallelism has that as a
// factor.
func (o Outcome) Results() ([]results.Experiment, []results.Trial) {
	var experiments []results.Experiment
	var trials []results.Trial
	at := map[string]int{} // of a package among the experiments
	known := map[string]bool{}
	ran := map[repeated]int{}
	left := o.leftOut()
	for i, t := range o.Trials {
		ran[t.repetitionOf()]++
		if t.Empty || t.NoTrial != Kept {
			continue // no time of its operations: no rate
		}
		r := t.result()
		if _, seen := at[r.Experiment]; !seen {
			at[r.Experiment] = len(experiments)
			experiments = append(experiments, experiment(r.Experiment))
		}
		e := &experiments[at[r.Experiment]]
		if key := r.Experiment + " " + r.Variant; !known[key] {
			known[key] = true
			e.Variants = append(e.Variants, results.Variant{Name: r.Variant, About: "func Benchmark" + r.Variant})
		}
		if _, swept := r.Factors[parallelism.Name]; swept && e.Factors == nil {
			e.Factors = []results.Factor{parallelism}
		}
		if left[t.repetitionOf()] {
			continue
		}
		r.Block, r.Position = ran[t.repetitionOf()]+t.FailedBefore, i+1
		trials = append(trials, r)
	}
	return experiments, trials
}

// parallelism is absent from the trials of a benchmark that left it at 1.
var parallelism = results.Factor{Name: "parallelism", About: "SetParallelism: goroutines ÷ GOMAXPROCS", Default: "1"}

func experiment(name string) results.Experiment {
	return results.Experiment{
		Name: name, Question: "What do the benchmarks of " + name + " cost?",
		Unit: "operation", Apart: true,
	}
}

func (t Trial) result() results.Trial {
	r := results.Trial{
		Experiment: t.Package, Variant: t.variant(), Factors: t.factors(), Goroutines: max(1, t.Goroutines), GOMAXPROCS: t.Procs,
		Ops: t.N, WallNS: t.WallNS, GoroutineNS: t.GoroutineNS, Usage: t.Usage, UsageNS: max(t.BetweenNS, 0),
		Naive: results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()},
	}
	if r.Experiment == "" {
		r.Experiment = "command-line-arguments"
	}
	if t.Goroutines == 0 {
		r.GoroutineNS = t.WallNS // of the one goroutine there is
	}
	r.Started = r.Goroutines
	mode := results.Sampled
	if t.Each {
		mode = results.Each
	}
	mean := results.Missing()
	if r.GoroutineNS > 0 { // else the clock stood still
		mean = results.Number(float64(r.GoroutineNS) / float64(t.N))
	}
	r.Latency = t.latency(mode, mean)
	r.Outside, r.Warnings = t.OutsideShare, t.warnings()
	return r
}

func (t Trial) warnings() []results.Warning {
	var all []results.Warning
	if t.N < results.LeastOps {
		all = append(all, results.FewOps())
	}
	if t.Untimed {
		all = append(all, results.Warning{Code: results.WarnOutside,
			Text: "the timer was off while RunParallel ran: the rate is that of what was timed besides"})
	}
	if t.OutsideShare > 0 {
		all = append(all, results.Warning{Code: results.WarnOutside,
			Text: "timed work outside RunParallel: it is in ops/s and not in the time of an operation"})
	}
	if t.repeated() {
		all = append(all, results.Warning{Code: results.WarnRepeated,
			Text: "RunParallel was called several times: rate and mean are of all its calls together, quantiles of the operations of each"})
	}
	if t.coarse() {
		all = append(all, results.Warning{Code: results.WarnClock,
			Text: "operations as short as the clock's step, or as a reading of it: quantiles that it cannot tell are left out"})
	}
	if doubt, is := t.disturbed(); is {
		all = append(all, doubt)
	}
	if doubt, is := cause.Throttled(t.Usage, t.BetweenNS); is {
		all = append(all, doubt)
	}
	return all
}

func (t Trial) disturbed() (doubt results.Warning, is bool) {
	return cause.Disturbed(t.Usage, t.BetweenNS, t.Processors)
}

// repeated reports whether RunParallel dealt b.N operations more than once.
func (t Trial) repeated() bool { return t.Goroutines > 0 && t.Dealt >= 2*int64(t.N) }

// coarse reports whether a quantile that the samples carry is not above what the
// clock can tell.
func (t Trial) coarse() bool {
	return t.Hist != nil && t.Hist.Carried(0.50) <= float64(t.FloorNS)
}

// variant is the benchmark's name without Benchmark, and of a parallel one
// without GOMAXPROCS. Of a name that ends as if with that, no benchmark but its own
// has the variant: a serial one gets its GOMAXPROCS at 1, too (Sum/n-2 at 1 is not
// Sum/n at 2), and a parallel one a word instead (nor is it a Sum/n-2 that is parallel).
func (t Trial) variant() string {
	name := t.bare()
	doubtful := suffixed.MatchString(name)
	switch {
	case t.Goroutines == 0 && (t.Procs > 1 || doubtful):
		name += "-" + strconv.Itoa(t.Procs)
	case t.Goroutines > 0 && doubtful:
		name += "-parallel"
	}
	return name
}

// suffixed also finds the names that would look like those of doubtful parallel
// benchmarks, so that they get one more of what they end with.
var suffixed = regexp.MustCompile(`-[0-9]+(-parallel)*$`)

// factors are nil where every processor had one goroutine.
func (t Trial) factors() map[string]string {
	if t.Goroutines == 0 || t.Procs < 1 || t.Goroutines == t.Procs {
		return nil
	}
	per := float64(t.Goroutines) / float64(t.Procs) // whole, unless the benchmark changes GOMAXPROCS, or has its goroutines itself
	return map[string]string{parallelism.Name: strconv.FormatFloat(per, 'g', -1, 64)}
}

func (t Trial) latency(mode string, mean results.Number) results.Latency {
	if t.Hist == nil {
		m := results.Missing()
		return results.Latency{Mode: mode, MeanNS: mean, P50NS: m, P90NS: m, P99NS: m, P999NS: m, MaxNS: m, ChunkNS: m, FloorNS: m}
	}
	l := t.withoutDropped(results.NewLatency(t.Hist, mode))
	l.MeanNS = mean
	l = l.Above(results.Number(t.FloorNS))
	l.ChunkNS = results.Number(t.LongestNS)
	return l
}

// withoutDropped leaves out the quantiles on whose far side so many operations can lie of which
// no latency tells that they may be others, as the benchmark's own lines do, and with p99 the
// histogram, from which it could be had again.
func (t Trial) withoutDropped(l results.Latency) results.Latency {
	unsure := func(q float64) bool { return float64(t.Dropped) > (1-q)/2*float64(t.Dealt) }
	for q, v := range map[float64]*results.Number{0.5: &l.P50NS, 0.9: &l.P90NS, 0.99: &l.P99NS, 0.999: &l.P999NS, 1: &l.MaxNS} {
		if unsure(q) {
			*v = results.Missing()
		}
	}
	if unsure(0.99) {
		l.Hist = nil
	}
	return l
}
