package trials

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// The counters and maps of others do what they count, and pass our check.
func TestSharedRivalsRun(t *testing.T) {
	for _, e := range []harness.Experiment{RivalCounter(), RivalMap()} {
		config := harness.Config{Goroutines: []int{1, 5}, Trials: 1, Window: 5 * time.Millisecond, Dir: t.TempDir()}
		if len(e.Factors) > 0 {
			config.Levels = map[string][]string{"writes": {"50"}}
		}
		run, err := harness.Run(t.Context(), config, e)
		if err != nil || len(run.Outcomes) > 0 || len(run.Trials) != 2*len(e.Variants) {
			t.Errorf("%s: %d trials, outcomes %v, error %v", e.Name, len(run.Trials), run.Outcomes, err)
		}
	}
}
