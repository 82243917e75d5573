package cmd

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

// measuredWith is a run of six trials on so many processors, and of no other one.
func measuredWith(processors int) *results.Run {
	run := &results.Run{
		Experiments: []results.Experiment{{Name: "log", Unit: "append", Variants: []results.Variant{{Name: "file"}}}},
		Envs:        []results.Env{{Format: results.Format, Machine: results.Machine{Cores: 64, GOMAXPROCS: processors}}},
		Ends:        []results.End{{Status: results.Complete}},
	}
	for block := 1; block <= 6; block++ {
		run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: "file", Goroutines: 1, Block: block,
			Ops: 1000, WallNS: 100e6 + int64(processors), GoroutineNS: 100e6,
			Usage: results.MissingUsage()})
	}
	return run
}

// A baseline that is refused takes nothing from the thresholds that need none: they are told,
// and one that certainly failed goes before the refusal, which is said besides.
func TestThresholdsBesideARefusedBaseline(t *testing.T) {
	for _, c := range []struct {
		threshold string
		status    string
		code      int
		first     string // of what stderr says
	}{
		{"", "", exit.Incomparable, "not comparable: GOMAXPROCS: 8, then 4"},
		{"rate>1/s", results.GatePassed, exit.Incomparable, "not comparable: GOMAXPROCS: 8, then 4"},
		{"rate>100M/s", results.GateFailed, exit.Threshold, "not comparable: GOMAXPROCS: 8, then 4"},
		{"p99<1ms", results.GateUnseen, exit.Incomparable, "not comparable: GOMAXPROCS: 8, then 4"},
	} {
		t.Run(c.threshold, func(t *testing.T) {
			var f runFlags
			if c.threshold != "" {
				f.compare.holds = []string{c.threshold}
			}
			comparison, refused := f.judge(measuredWith(8), measuredWith(4), nil)
			switch {
			case c.threshold == "" && comparison != nil:
				t.Errorf("a comparison that was refused: %+v", comparison)
			case c.threshold != "" && (comparison == nil || len(comparison.Gates) != 1 || comparison.Gates[0].Status != c.status):
				t.Fatalf("comparison %+v, want one threshold %s", comparison, c.status)
			}
			var stderr bytes.Buffer
			if code := exit.Code(&stderr, verdict(&stderr, comparison, refused)); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			said := stderr.String()
			if !strings.HasPrefix(said, "syncwrite: "+c.first+"\n") || !strings.Contains(said, "\n  syncwrite compare --anyway OLD.jsonl NEW.jsonl ") {
				t.Errorf("stderr: %s", said)
			}
		})
	}
}

// Runs without a cell in common are refused with the same thresholds told.
func TestThresholdsOfRunsWithNothingInCommon(t *testing.T) {
	older := measuredWith(4)
	for i := range older.Trials {
		older.Trials[i].Goroutines = 2
	}
	f := runFlags{compare: compareFlags{holds: []string{"rate>1/s"}}}
	comparison, refused := f.judge(older, measuredWith(4), nil)
	if comparison == nil || len(comparison.Gates) != 1 || refused == nil || !strings.Contains(refused.Error(), "no cell in common") {
		t.Errorf("comparison %+v, %v", comparison, refused)
	}
}

// Without a refusal the thresholds alone say how a run ends.
func TestVerdictOfThresholds(t *testing.T) {
	other := errors.New("refused")
	for _, c := range []struct {
		gates   []string
		refused error
		want    int
	}{
		{nil, nil, 0},
		{[]string{results.GatePassed}, nil, 0},
		{[]string{results.GatePassed, results.GateUnseen}, nil, exit.Inconclusive},
		{[]string{results.GateUnseen, results.GateFailed}, nil, exit.Threshold},
		{[]string{results.GateFailed}, other, exit.Threshold},
		{[]string{results.GateUnseen}, other, exit.Error},
		{nil, other, exit.Error},
	} {
		var comparison results.Comparison
		for _, status := range c.gates {
			comparison.Gates = append(comparison.Gates, results.Gate{Status: status})
		}
		var stderr bytes.Buffer
		if got := exit.Code(&stderr, verdict(&stderr, &comparison, c.refused)); got != c.want {
			t.Errorf("%v, %v: exit code %d, want %d", c.gates, c.refused, got, c.want)
		}
	}
	if err := verdict(nil, nil, nil); err != nil {
		t.Error(err)
	}
}
