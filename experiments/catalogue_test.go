package experiments

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/harness"
)

// Every experiment of the catalogue runs, at a few operations: every variant
// opens, does what it counts, passes its own check, and says what it is.
func TestEveryVariantRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := map[string]bool{}
	for _, e := range Catalogue() {
		if names[e.Name] {
			t.Errorf("two experiments named %s", e.Name)
		}
		names[e.Name] = true
		for _, v := range e.Variants {
			if v.About == "" {
				t.Errorf("%s/%s does not say what it is", e.Name, v.Name)
			}
		}
		t.Run(e.Name, func(t *testing.T) { runEveryVariant(t, e) })
	}
}

// Every two variants of an experiment can be run without the others.
func TestEveryTwoVariantsCanBeChosen(t *testing.T) {
	for _, e := range Catalogue() {
		for _, a := range e.Variants {
			for _, b := range e.Variants {
				if err := e.Only(a.Name, b.Name).Check(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// racing are the variants that race on purpose. The race detector would end
// them for that, so under -race they are left out; make check runs them without.
var racing = []string{"counter/plain", "map/plain"}

func runEveryVariant(t *testing.T, e harness.Experiment) {
	var names []string
	rated, observed := 0, 0
	for _, v := range e.Variants {
		if raceDetector && slices.Contains(racing, e.Name+"/"+v.Name) {
			t.Run(v.Name, func(t *testing.T) { t.Skip("it is a data race on purpose, which the race detector ends") })
			continue
		}
		names = append(names, v.Name)
		if v.Observe == nil {
			rated++
		} else {
			observed++
		}
	}
	config := harness.Config{Goroutines: []int{1, 5}, Trials: 1, Window: 5 * time.Millisecond, Dir: t.TempDir(), Levels: map[string][]string{}}
	if testing.Short() { // nothing is calibrated, and one level tried
		config.Goroutines, config.Ops = config.Goroutines[1:], 500
	}
	for _, f := range e.Factors {
		config.Levels[f.Name] = []string{f.Default}
	}
	processors := runtime.GOMAXPROCS(0)
	run, err := harness.Run(t.Context(), config, e.Only(names...))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range run.Errors() {
		t.Errorf("%s/%s: %s", e.Name, o.Variant, o.Text)
	}
	if want := len(config.Goroutines) * rated; len(run.Trials) != want {
		t.Errorf("%s: %d trials, want %d", e.Name, len(run.Trials), want)
	}
	if want := len(config.Goroutines) * observed; len(run.Outcomes) != want {
		t.Errorf("%s: %d outcomes, want %d", e.Name, len(run.Outcomes), want)
	}
	if now := runtime.GOMAXPROCS(0); now != processors {
		t.Errorf("%s: GOMAXPROCS is %d behind it, %d before", e.Name, now, processors)
	}
}
