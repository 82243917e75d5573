package trials

import (
	"strconv"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// The catalogue runs as a whole, and every variant passes its own check.
func TestCatalogueRuns(t *testing.T) {
	config := harness.Config{
		Goroutines: []int{1, 8}, Trials: 1, Ops: 64, Dir: t.TempDir(), Window: time.Millisecond,
		Levels: map[string][]string{
			"payload": {"3", "1024"}, "reads": {"50", "90"}, "stored": {"100"}, "before": {"100000"},
			"writes": {"1", "90"}, "run": {"1", "64"},
		},
	}
	run, err := harness.Run(t.Context(), config, Catalogue()...)
	if err != nil || len(run.Outcomes) > 0 {
		t.Fatalf("outcomes %v, error %v", run.Outcomes, err)
	}
	if want := expected(Catalogue(), config); len(run.Trials) != want {
		t.Errorf("%d trials, want %d", len(run.Trials), want)
	}
}

// expected is the number of trials: one for each variant, N and combination of
// the levels of those factors that the experiment has.
func expected(all []harness.Experiment, config harness.Config) (trials int) {
	for _, e := range all {
		cells := len(e.Variants) * len(config.LevelsOf(e))
		for _, f := range e.Factors {
			cells *= max(1, len(config.Levels[f.Name]))
		}
		trials += cells
	}
	return trials
}

func TestPayloadIsChecked(t *testing.T) {
	for level, good := range map[string]bool{"0": true, "3": true, strconv.Itoa(largest): true, "-1": false, "x": false, strconv.Itoa(largest + 1): false} {
		if err := harness.Between(0, largest)(level); (err == nil) != good {
			t.Errorf("level %s: %v", level, err)
		}
	}
}
