package analysis_test

import (
	"math"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// Three nanoseconds are a share of what a processor gives one operation, not of
// what the clock shows between two of a thousand goroutines.
func TestMarginIsOfProcessorTime(t *testing.T) {
	none := results.Missing()
	for _, c := range []struct {
		name                 string
		n, cores, gomaxprocs int
		quota                results.Number
		rate, want           float64
	}{
		{"a microsecond", 1, 2, 2, none, 1e6, 0.05},
		{"20 ns", 1, 2, 2, none, 50e6, 0.15},
		{"5 ns", 1, 2, 2, none, 200e6, 0.30},
		{"20 ns on each of two processors", 2, 2, 2, none, 100e6, 0.15},
		{"64 goroutines on two processors", 64, 2, 2, none, 100e6, 0.15},
		{"one of two processors may be used", 64, 2, 1, none, 50e6, 0.15},
		{"more GOMAXPROCS than cores", 64, 2, 8, none, 100e6, 0.15},
		{"a quota of half a processor", 1, 2, 2, 0.5, 50e6, 0.30},
		{"a quota of one of four", 64, 4, 4, 1, 50e6, 0.15},
		{"a quota of more than there is", 64, 2, 8, 4, 100e6, 0.15},
		{"unknown processors, a quota", 64, 0, 0, 0.5, 50e6, 0.30},
		{"unknown processors", 64, 0, 0, none, 50e6, 0.15},
	} {
		run := runOf(spread(c.rate)...)
		run.Envs[0].Machine.Cores, run.Envs[0].Machine.GOMAXPROCS = c.cores, c.gomaxprocs
		run.Envs[0].Machine.CPUQuota = c.quota
		for i := range run.Trials {
			run.Trials[i].Goroutines = c.n
		}
		if got := float64(analysis.Compare(run, run).Changes[0].Margin); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s: margin %.3f, want %.3f", c.name, got, c.want)
		}
	}
}

// What an aggregate rate hid: two variants of 64 goroutines, 16 times apart, and
// six paired ratios of 1.10 to 1.87.
func TestFastVariantsAreToldApart(t *testing.T) {
	for name, c := range map[string]struct {
		n          int
		slow, fast []float64
	}{
		"16 : 1 at 64 goroutines": {64, spread(0.40e9), spread(6.39e9)},
		"memory and async":        {16, spread(30e6), []float64{33e6, 39e6, 45e6, 46.2e6, 51e6, 56e6}},
	} {
		run := runOf()
		run.Envs[0].Machine.GOMAXPROCS = 2
		promise := run.Experiments[0].Variants[0].Promise
		run.Experiments[0].Variants = []results.Variant{{Name: "slow", Promise: promise}, {Name: "fast", Promise: promise}}
		for variant, rates := range map[string][]float64{"slow": c.slow, "fast": c.fast} {
			for i, rate := range rates {
				run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: variant, Goroutines: c.n, Started: c.n,
					Block: i + 1, Ops: 1e9, WallNS: int64(1e18 / rate), GoroutineNS: int64(float64(c.n) * 1e18 / rate), Usage: results.MissingUsage()})
			}
		}
		sentence := analysis.Analyze(run).Findings[0].Verdict.Sentence
		if !strings.Contains(sentence, "× slow (") {
			t.Errorf("%s: %s", name, sentence)
		}
	}
}
