package gotest

import (
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// Results are the trials as results: a package is an experiment and each of its
// benchmarks a variant, an operation of its own that is ranked against no
// other. A benchmark that is repeated (-count) gets a block each time.
//
// A serial benchmark keeps the GOMAXPROCS suffix in its name, since nothing
// else tells its runs under -cpu apart. Of a parallel one GOMAXPROCS decides the
// number of goroutines, which is the level.
func (o Outcome) Results() ([]results.Experiment, []results.Trial) {
	var experiments []results.Experiment
	var trials []results.Trial
	at := map[string]int{} // of a package among the experiments
	known := map[string]bool{}
	repeated := map[results.Cell]int{}
	for i, t := range o.Trials {
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
		repeated[r.Cell()]++
		r.Block, r.Position = repeated[r.Cell()], i+1
		trials = append(trials, r)
	}
	return experiments, trials
}

func experiment(name string) results.Experiment {
	return results.Experiment{
		Name: name, Question: "What do the benchmarks of " + name + " cost?",
		Unit: "operation", Apart: true,
	}
}

func (t Trial) result() results.Trial {
	r := results.Trial{
		Experiment: t.Package, Variant: t.variant(), Goroutines: max(1, t.Goroutines),
		Ops: t.N, WallNS: t.WallNS, GoroutineNS: t.GoroutineNS, Usage: results.MissingUsage(),
		Naive: results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()},
	}
	if r.Experiment == "" {
		r.Experiment = "command-line-arguments"
	}
	if t.Goroutines == 0 {
		r.Variant = strings.TrimPrefix(t.Name, "Benchmark")
		r.GoroutineNS = t.WallNS // of the one goroutine there is
	}
	r.Started = r.Goroutines
	mode := results.Sampled
	if t.Each {
		mode = results.Each
	}
	r.Latency = t.latency(mode)
	r.Latency.MeanNS = results.Number(float64(r.GoroutineNS) / float64(t.N))
	return r
}

func (t Trial) latency(mode string) results.Latency {
	if t.Hist == nil {
		m := results.Missing()
		return results.Latency{P50NS: m, P90NS: m, P99NS: m, P999NS: m, MaxNS: m, ChunkNS: m}
	}
	l := results.NewLatency(t.Hist, mode)
	l.ChunkNS = results.Number(t.LongestNS)
	return l
}
