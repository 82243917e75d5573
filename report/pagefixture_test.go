package report_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A shape of results, from which a report is made by hand: analysis stands
// left of this room.
type fixture struct {
	variants []string
	levels   []int
	trials   int
	rate     func(variant, n, block int) float64 // ops/s
	coarse   bool                                // few values in the histograms
}

func usual(variants ...string) fixture {
	return fixture{variants, []int{1, 4, 16}, 6, func(v, n, block int) float64 {
		return 4e6 / math.Pow(7, float64(v%5)) * (1 + 0.3*float64(v)/64) / (1 + 0.02*float64(n)) * (1 + 0.01*float64(block))
	}, true}
}

func promiseAt(v int) results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: []string{"nothing", "process-crash", "power-cut"}[v%3]}
}

func (x fixture) report() *results.Report {
	f := results.Finding{
		Experiment: results.Experiment{Name: "log", Question: "What does writing to one log cost?", Unit: "append"},
		Verdict: results.Verdict{
			Sentence: "At 16 goroutines: the first leads with 12 % more.", At: "at 16 goroutines",
			Lines:   []results.Line{{Text: "the first leads with 12 % more", Variants: x.variants}},
			Details: []string{"A detail of the verdict."},
		},
	}
	for v, name := range x.variants {
		f.Experiment.Variants = append(f.Experiment.Variants, results.Variant{Name: name, Promise: promiseAt(v)})
		var serial []float64
		for _, n := range x.levels {
			trials := x.cell(v, n)
			f.Trials = append(f.Trials, trials...)
			rates := ratesOf(trials)
			if n == 1 {
				serial = rates
			}
			f.Summaries = append(f.Summaries, summaryOf(trials, rates, serial, promiseAt(v)))
		}
	}
	return &results.Report{Envs: []results.Env{envOf("AMD EPYC")}, Ends: []results.End{{Status: results.Complete, WallNS: 5e10, LoadAfter: 0.7}}, Findings: []results.Finding{f}}
}

func (x fixture) cell(v, n int) []results.Trial {
	var trials []results.Trial
	for block := 1; block <= x.trials; block++ {
		rate := x.rate(v, n, block)
		wall := int64(1e8)
		t := results.Trial{
			Experiment: "log", Variant: x.variants[v], Goroutines: n, Started: n, Block: block, Ops: int(rate / 10), WallNS: wall, GoroutineNS: wall * int64(n),
			Usage: results.MissingUsage(),
		}
		t.Latency = results.NewLatency(x.histogram(rate, n, block), results.Each)
		trials = append(trials, t)
	}
	return trials
}

func (x fixture) histogram(rate float64, n, block int) *hist.Histogram {
	h := new(hist.Histogram)
	if rate <= 0 {
		return h
	}
	mean := float64(n) * 1e9 / rate
	values := 3000
	if x.coarse {
		values = 40
	}
	for i := range values {
		h.RecordN(int64(mean*math.Exp(2.5*math.Sin(float64(i*block)))), uint64(1+i%7))
	}
	return h
}

func ratesOf(trials []results.Trial) []float64 {
	var rates []float64
	for _, t := range trials {
		rates = append(rates, t.OpsPerS())
	}
	return rates
}

// middle is a median with the extremes as its interval, where there are six.
func middle(values []float64) results.Interval {
	if len(values) == 0 {
		return results.NoInterval()
	}
	sorted := slices.Sorted(slices.Values(values))
	i := results.Interval{Median: results.Number(sorted[len(sorted)/2]), Low: results.Missing(), High: results.Missing()}
	if len(sorted) >= 6 {
		i.Low, i.High = results.Number(sorted[0]), results.Number(sorted[len(sorted)-1])
	}
	return i
}

func summaryOf(trials []results.Trial, rates, serial []float64, p results.Promise) results.Summary {
	t, missing := trials[0], results.Missing()
	l, _ := results.MergeLatencies(trials)
	var percent []float64
	for i := range serial {
		percent = append(percent, 100*rates[i]/serial[i])
	}
	s := results.Summary{
		Experiment: t.Experiment, Variant: t.Variant, Goroutines: t.Goroutines, Promise: p, Trials: len(trials),
		OpsPerS: middle(rates), AcceptedPerS: results.NoInterval(), MeanNS: results.Interval{Median: l.MeanNS, Low: missing, High: missing},
		P50NS: l.P50NS, P90NS: l.P90NS, P99NS: l.P99NS, P999NS: l.P999NS, MaxNS: l.MaxNS, Hist: l.Hist,
		SerialOpsPerS: missing, PercentSerial: middle(percent), Effective: results.Number(float64(t.Goroutines) * 0.97),
		AllocsPerOp: 1, BytesPerOp: 48, CPUNSPerOp: 210, SwitchesPerOp: 0.004, GCShare: 0.03, BusyShare: missing, Naive: missing,
		Cause: results.Cause{CPU: 0.3, Lock: 0.52, Scheduler: 0.21, Unexplained: -0.03},
	}
	if t.Goroutines > 2 {
		s.Warnings = append(s.Warnings, results.Warning{Code: results.WarnProcessors, Text: "more goroutines than the 2 processors: latency includes waiting for a processor"})
	}
	if len(trials) < 6 {
		s.Warnings = append(s.Warnings, results.Warning{Code: results.WarnTrials, Text: "fewer than 6 trials carry no 95 % interval"})
	}
	return s
}

func envOf(cpu string) results.Env {
	return results.Env{
		Format: results.Format, Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Command: []string{"syncwrite", "run", "--seed", "7"},
		Machine:    results.Machine{GOOS: "linux", GOARCH: "amd64", Kernel: "6.1", CPU: cpu, Cores: 2, GOMAXPROCS: 2, CPUQuota: 1.5, Clock: "tsc", Go: "go1.26.0", GOGC: "100", Commit: "abc123", Memory: 8 << 30},
		Disk:       results.Disk{FileSystem: "ext4", Mount: "/data", Options: "rw", Device: "/dev/vda"},
		Settings:   results.Settings{Goroutines: []int{1, 4, 16}, Trials: 6, WindowNS: 1e8, Seed: 7, Loop: "closed"},
		Overhead:   results.Overhead{SampledNS: 2, TimedNS: 25, ClockNS: 20},
		LoadBefore: 0.5,
		Warnings:   []results.Warning{{Code: results.WarnDisturbed, Text: "the load average was 0.5"}},
	}
}

// hostile is text that must show as itself and do nothing.
const hostile = `open <script>alert("x")</script> & 'more'</style></svg></title>`

// fixtures are the reports that every renderer must get along with.
func fixtures() map[string]*results.Report {
	all := map[string]*results.Report{
		"usual":        usual("memory", "file", "leveldb").report(),
		"no findings":  {},
		"compared":     compared(usual("memory", "file").report()),
		"no trials":    {Envs: []results.Env{envOf("AMD EPYC")}, Findings: []results.Finding{{Experiment: results.Experiment{Name: "log"}, Verdict: results.Verdict{Sentence: "Inconclusive: no trial was finished."}}}},
		"two machines": twoMachines(),
		"failed":       failedVariant(),
		"long name":    usual(strings.Repeat("very-long-name-", 5)+"12345", strings.Repeat("x", 80), "short").report(),
		"many":         usual(numbered(64)...).report(),
	}
	all["claims"], all["lossy"] = claimsReport(), lossyReport()
	one := usual("memory", "file")
	one.levels = []int{8}
	all["one level"] = one.report()
	two := usual("memory", "file")
	two.trials = 2
	all["two trials"] = two.report()
	zero := usual("memory", "stuck")
	zero.rate = func(v, n, block int) float64 { return 1e6 * float64(1-v) }
	all["zero"] = zero.report()
	equal := usual(numbered(9)...)
	equal.rate = func(v, n, block int) float64 { return 1e6 + float64(block) }
	all["equal"] = equal.report()
	return all
}

func numbered(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("variant-%02d", i+1))
	}
	return names
}

func twoMachines() *results.Report {
	r := usual("memory", "file").report()
	r.Envs = append(r.Envs, envOf("Other CPU"))
	r.Warnings = []results.Warning{{Code: results.WarnMachines, Text: "trials of different machines are mixed"}}
	r.Problems = []results.Problem{{File: "run.jsonl", Line: 7, Text: "line ends early"}}
	return r
}

func failedVariant() *results.Report {
	r := usual(`<b onload="x">&amp;`, "file").report()
	f := &r.Findings[0]
	f.Experiment.Question = hostile
	f.Outcomes = []results.Outcome{{Experiment: "log", Variant: "file", Goroutines: 4, Kind: results.OutcomeError, Text: hostile}}
	f.Verdict.Details = append(f.Verdict.Details, "file ended by an error: "+hostile)
	f.Summaries[0].Warnings = append(f.Summaries[0].Warnings, results.Warning{Code: results.WarnEnded, Text: hostile})
	r.Envs[0].Command = []string{"syncwrite", "run", hostile}
	return r
}
