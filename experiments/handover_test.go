package experiments_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// A trial with one processor runs on one, and the next one on all again.
func TestGOMAXPROCSIsHeldForTheTrialAlone(t *testing.T) {
	defer goleak.VerifyNone(t)
	if runtime.GOMAXPROCS(0) == 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	all := runtime.GOMAXPROCS(0)
	e := experiments.Handover()
	var during []int
	for i, v := range e.Variants {
		e.Variants[i].Open = func(s harness.Setup) (harness.Instance, error) {
			instance, err := v.Open(s)
			during = append(during, runtime.GOMAXPROCS(0))
			return instance, err
		}
	}
	for level, want := range map[string]int{"1": 1, "all": all} {
		during = nil
		config := harness.Config{Goroutines: []int{2}, Trials: 1, Window: time.Millisecond, Dir: t.TempDir(), Levels: map[string][]string{"procs": {level}}}
		run, err := harness.Run(t.Context(), config, e)
		if err != nil || len(run.Outcomes) > 0 || len(run.Trials) != len(e.Variants) {
			t.Fatalf("procs=%s: %d trials, outcomes %v, error %v", level, len(run.Trials), run.Outcomes, err)
		}
		if slices.ContainsFunc(during, func(n int) bool { return n != want }) {
			t.Errorf("procs=%s: trials saw GOMAXPROCS %v, want %d", level, during, want)
		}
		if now := runtime.GOMAXPROCS(0); now != all {
			t.Fatalf("procs=%s: GOMAXPROCS is %d behind it, %d before", level, now, all)
		}
	}
}
