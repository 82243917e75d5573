package report_test

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// promise names what a variant's acknowledged write survives; the rest all
// variants share.
func promise(survives string) results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: survives}
}

func env() results.Env {
	return results.Env{
		Format: results.Format, Start: time.Date(2026, 11, 21, 5, 1, 55, 0, time.UTC),
		Command: strings.Fields("syncwrite run log"),
		Machine: results.Machine{GOOS: "linux", GOARCH: "amd64", Kernel: "6.18.0", CPU: "Example CPU", Cores: 2,
			GOMAXPROCS: 2, Go: "go1.26.8", CPUQuota: results.Missing()},
		Disk:       results.Disk{FileSystem: "ext4", Mount: "/", Options: "rw,relatime"},
		Settings:   results.Settings{Trials: 6, WindowNS: 220e6, BudgetNS: 60e9, Seed: 7, Loop: "closed"},
		Overhead:   results.Overhead{SampledNS: 3.2, TimedNS: 51, ClockNS: 23},
		LoadBefore: 0.2,
	}
}

// summary is a cell whose figures follow from its throughput.
func summary(variant, survives string, n int, opsPerS, percent float64) results.Summary {
	ns := results.Number(float64(n) * 1e9 / opsPerS)
	rate := results.Number(opsPerS)
	share := results.Number(1) / results.Number(n)
	return results.Summary{
		Experiment: "log", Variant: variant, Goroutines: n, Promise: promise(survives), Trials: 6,
		OpsPerS:      results.Interval{Median: rate, Low: rate * 0.94, High: rate * 1.07},
		AcceptedPerS: results.NoInterval(),
		MeanNS:       results.Interval{Median: ns, Low: ns, High: ns}, P50NS: ns * 0.9, P99NS: ns * 7,
		SerialOpsPerS: rate,
		PercentSerial: results.Interval{Median: results.Number(percent), Low: results.Number(percent), High: results.Number(percent)},
		GCShare:       0.02, BusyShare: results.Missing(),
		Cause: results.Cause{CPU: share * 0.7, Lock: 0.2, Scheduler: 0.05, Unexplained: 0.75 - share*0.7},
	}
}

// unmeasured has nothing but its throughput's median.
func unmeasured(s results.Summary) results.Summary {
	m := results.Missing()
	s.OpsPerS.Low, s.OpsPerS.High = results.Number(math.Inf(-1)), results.Number(math.Inf(1))
	s.MeanNS, s.P50NS, s.P99NS, s.PercentSerial = results.NoInterval(), m, m, results.NoInterval()
	s.Cause, s.GCShare = results.Cause{CPU: m, Lock: m, Scheduler: m, Unexplained: m}, m
	return s
}

var logVariants = []struct {
	name, survives string
	ops            [5]float64
}{
	{"memory", "nothing", [5]float64{21e6, 14e6, 11e6, 10.5e6, 9.9e6}},
	{"simple", "nothing", [5]float64{20e6, 9e6, 8e6, 8.1e6, 8e6}},
	{"naive-file", "process-crash", [5]float64{810e3, 650e3, 600e3, 610e3, 598e3}},
	{"in-order", "process-crash", [5]float64{790e3, 700e3, 680e3, 690e3, 660e3}},
	{"packed", "process-crash", [5]float64{750e3, 1.1e6, 1.9e6, 3.1e6, 4.2e6}},
	{"striped", "process-crash", [5]float64{770e3, 1.2e6, 1.3e6, 1.31e6, 1.29e6}},
	{"async-leveldb", "process-crash", [5]float64{420e3, 390e3, 380e3, 371e3, 365e3}},
	{"synced", "power-cut", [5]float64{1_010, 1_480, 2_700, 5_200, 9_995}},
}

func finding(question string) results.Finding {
	e := results.Experiment{Name: "log", Question: question, Unit: "append", Factors: []results.Factor{{Name: "payload", Default: "3"}}}
	return results.Finding{Experiment: e, Verdict: results.Verdict{
		Sentence: "At 16 goroutines — survives a power cut: synced, 10.0k appends/s; survives a process crash: packed, 4.20M appends/s, 3.26× striped (3.10–3.40); without crash safety: memory, 9.90M appends/s, 1.24× simple (1.10–1.40).",
		At:       "at 16 goroutines",
		Lines: []results.Line{
			{Promise: "Survives a power cut", Text: "synced, 10.0k appends/s", Variants: []string{"synced"}},
			{Promise: "Survives a process crash", Text: "packed, 4.20M appends/s, 3.26× striped (3.10–3.40)", Variants: []string{"packed", "striped", "in-order", "naive-file", "async-leveldb"}},
			{Promise: "Without crash safety", Text: "memory, 9.90M appends/s, 1.24× simple (1.10–1.40)", Note: "at 4 goroutines, memory does 11.0M/s, 1.11× as much (1.06–1.15)", Variants: []string{"memory", "simple"}},
		},
		Scaling: "From 1 to 16 goroutines, synced (9.90×) and packed (5.60×) gain; memory (0.470×) loses. Most goroutine time parked at a lock: memory 80.0 %.",
		Advice:  "More goroutines pay with synced, up to 16 and packed, up to 16; with memory, one alone does at least as much.",
		Details: []string{
			"At 1 goroutine — without crash safety: memory, 21.0M appends/s, cannot be told apart from simple (1.05×, 0.98–1.10).",
		},
	}}
}

func logReport(levels ...int) *results.Report {
	f := finding("What does an append cost, and what does it survive?")
	for _, v := range logVariants {
		for i, n := range levels {
			s := summary(v.name, v.survives, n, v.ops[i], 100*v.ops[i]/v.ops[0])
			s.Factors = map[string]string{"payload": "3"}
			if n > 2 {
				s.Warnings = append(s.Warnings, results.Warning{Code: results.WarnProcessors, Text: "more goroutines than the 2 processors: latency includes waiting for a processor"})
			}
			if v.name == "striped" && n > 1 {
				s.Warnings = append(s.Warnings, results.Warning{Code: results.WarnWide, Text: "throughput varies by more than ±25 %: do not decide by it"})
			}
			f.Summaries = append(f.Summaries, s)
		}
	}
	return &results.Report{Envs: []results.Env{env()}, Findings: []results.Finding{f}}
}

// openSummaries are those of the open loop at two rates.
func openSummaries(closed []results.Summary) []results.Summary {
	var all []results.Summary
	for _, s := range closed {
		for i, level := range []string{"10k", "100k"} {
			s := s
			s.Factors = map[string]string{results.RateFactor: level}
			due := results.Number([]float64{1e4, 1e5}[i])
			s.OpsPerS.Median = min(due, s.OpsPerS.Median)
			m := results.Missing()
			s.PercentSerial, s.Cause = results.NoInterval(), results.Cause{CPU: m, Lock: m, Scheduler: m, Unexplained: m}
			s.Open = &results.OpenSummary{DuePerS: due, KeptUp: 6, Judged: 6, DonePerS: min(due, s.OpsPerS.Median), Unsent: 100 * i, ServeNS: s.P99NS / 2, LagNS: s.P99NS / 2, LateNS: 30e3}
			all = append(all, s)
		}
	}
	return all
}

// reports are the cases that renderers must tell well.
func reports() map[string]*results.Report {
	all := map[string]*results.Report{
		"log":       logReport(1, 2, 4, 8, 16),
		"one-level": logReport(1),
		"nothing":   {},
		"compared":  compared(logReport(1, 8)),
	}

	two := logReport(1, 2)
	for i := range two.Findings[0].Summaries {
		s := &two.Findings[0].Summaries[i]
		*s = unmeasured(*s)
		s.Trials = 2
		s.Warnings = []results.Warning{{Code: results.WarnTrials, Text: "fewer than 6 trials carry no 95 % interval"}}
	}
	all["two-trials"] = two

	idle := logReport(1, 2)
	for i := range idle.Findings[0].Summaries {
		if s := &idle.Findings[0].Summaries[i]; s.Variant == "synced" {
			*s = unmeasured(*s)
			s.OpsPerS = results.Interval{}
		}
	}
	all["zero-throughput"] = idle

	failed := logReport(1, 2)
	f := &failed.Findings[0]
	f.Summaries = f.Summaries[:3]
	f.Verdict.Details = append(f.Verdict.Details, "simple ended by an error at 2 goroutines, in block 3: write /log: no space left on device")
	f.Outcomes = []results.Outcome{{Experiment: "log", Variant: "simple", Goroutines: 2, Block: 3, Kind: results.OutcomeError, Text: "write /log: no space left on device"}}
	f.Summaries[2].Warnings = append(f.Summaries[2].Warnings, results.Warning{Code: results.WarnEnded, Text: "the variant ended by an error; these are the trials before it"})
	all["failed-variant"] = failed

	lost := &results.Report{Envs: []results.Env{env()}, Findings: []results.Finding{finding("")}}
	lost.Findings[0].Verdict = results.Verdict{Sentence: "Inconclusive: no trial was finished.", Details: []string{"plain ended by an error at 2 goroutines, before the first block: concurrent map writes"}}
	all["no-trial"] = lost

	many := &results.Report{Envs: []results.Env{env()}, Findings: []results.Finding{finding("Which of very many?")}}
	for i := range 64 {
		for _, n := range []int{1, 2, 4} {
			many.Findings[0].Summaries = append(many.Findings[0].Summaries, summary(fmt.Sprintf("v%02d", i), "nothing", n, 1000*math.Pow(1.05, float64(i))*float64(n), 100*float64(n)))
		}
	}
	all["64-variants"] = many

	all["lossy"] = lossyReport()
	all["claims"] = claimsReport()

	long := logReport(1, 2, 4)
	for i := range long.Findings[0].Summaries {
		if s := &long.Findings[0].Summaries[i]; s.Variant == "packed" {
			s.Variant = strings.Repeat("long-name-", 8)
		}
	}
	all["long-name"] = long

	swept := &results.Report{Envs: []results.Env{env()}, Findings: []results.Finding{finding("What does the payload cost?")}}
	for _, payload := range []string{"3", "128", "1024"} {
		for _, v := range logVariants[2:4] {
			for i, n := range []int{1, 4} {
				s := summary(v.name, v.survives, n, v.ops[i]/math.Sqrt(float64(len(payload))), 90)
				s.Factors = map[string]string{"payload": payload, "sync": "off"}
				swept.Findings[0].Summaries = append(swept.Findings[0].Summaries, s)
			}
		}
	}
	all["factors"] = swept

	doubtful := logReport(1, 2)
	other := env()
	other.Machine.CPU, other.Machine.CPUQuota, other.Disk = "Another CPU", 1.5, results.Disk{FileSystem: "tmpfs"}
	other.Settings.Ops = 1000
	doubtful.Envs = append(doubtful.Envs, other)
	doubtful.Warnings = []results.Warning{
		{Code: results.WarnTmpfs, Text: "there is no disk under the directory: tmpfs"},
		{Code: results.WarnMachines, Text: "trials of different machines or Go versions are mixed: <a> and *b*"},
	}
	doubtful.Problems = []results.Problem{
		{File: "run.jsonl", Line: 7, Text: "line ends early: unexpected end of JSON input"},
		{Text: "experiment log: variant simple promises more than before"},
	}
	all["two-machines"] = doubtful

	open := logReport(64)
	open.Findings[0].Verdict = results.Verdict{At: "in the open loop", Lines: []results.Line{{Promise: "Survives a process crash", Text: "packed keeps up with 10k/s (p99 2.00 ms)"}}}
	open.Findings[0].Summaries = openSummaries(open.Findings[0].Summaries)
	all["open-loop"] = open

	bench := logReport(1, 2)
	for i := range bench.Findings[0].Summaries {
		s := &bench.Findings[0].Summaries[i]
		s.Cause = results.Cause{CPU: results.Missing(), Lock: results.Missing(), Scheduler: results.Missing(), Unexplained: results.Missing()}
	}
	m := results.Missing()
	bench.Envs = []results.Env{{Machine: results.Machine{GOMAXPROCS: 2, CPUQuota: m}, LoadBefore: m, Overhead: results.Overhead{SampledNS: m, TimedNS: m, ClockNS: m}}}
	bench.Findings[0].Experiment = results.Experiment{Name: "log"}
	all["bench"] = bench

	hostile := logReport(1, 2)
	for i := range hostile.Findings[0].Summaries {
		hostile.Findings[0].Summaries[i].Variant += "\x1b[2J\n|*"
	}
	hostile.Findings[0].Experiment.Name = "log\x1b]0;title\a"
	all["hostile-names"] = hostile
	return all
}
