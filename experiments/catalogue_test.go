package experiments_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// Every experiment of the catalogue runs, at a few operations: every variant
// opens, does what it counts, passes its own check, and says what it is.
func TestEveryVariantRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := map[string]bool{}
	for _, e := range experiments.Catalogue() {
		if names[e.Name] {
			t.Errorf("two experiments named %s", e.Name)
		}
		names[e.Name] = true
		for _, v := range e.Variants {
			if v.About == "" {
				t.Errorf("%s/%s does not say what it is", e.Name, v.Name)
			}
		}
		config := harness.Config{Goroutines: []int{1, 5}, Trials: 1, Window: 5 * time.Millisecond, Dir: t.TempDir()}
		run, err := harness.Run(t.Context(), config, e)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range run.Outcomes {
			t.Errorf("%s/%s: %s", e.Name, o.Variant, o.Text)
		}
		if want := 2 * len(e.Variants); len(run.Trials) != want {
			t.Errorf("%s: %d trials, want %d", e.Name, len(run.Trials), want)
		}
	}
}
