package experiments

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/racing"
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

// Percent of reads among the appends makes what is counted neither.
func TestReadsOfTheLogAreNoAppends(t *testing.T) {
	d := Log().Describe()
	for _, f := range d.Factors {
		if want := map[string]string{"reads": "operation"}[f.Name]; f.Unit != want {
			t.Errorf("off the default of %s an operation is %q, want %q", f.Name, f.Unit, want)
		}
	}
	if d.Unit != "append" {
		t.Errorf("an operation is %q", d.Unit)
	}
}

// onPurpose are the variants that race on purpose. The race detector would end
// them for that, so under -race they are left out; make check runs them without.
var onPurpose = []string{"counter/plain", "map/plain"}

func runEveryVariant(t *testing.T, e harness.Experiment) {
	var names []string
	rated, observed := 0, 0
	for _, v := range e.Variants {
		if racing.Detector && slices.Contains(onPurpose, e.Name+"/"+v.Name) {
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
	if e.ByTime {
		config.Ops, config.Window = 0, 50*time.Millisecond
	}
	for _, f := range e.Factors {
		config.Levels[f.Name] = []string{f.Default}
	}
	processors := runtime.GOMAXPROCS(0)
	run, err := harness.Run(t.Context(), config, checked(t, e.Only(names...)))
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

// unchecked have nothing left to look at: operations of the machine's limits and of known
// cost keep nothing, and a ping is held to its echo each time.
var unchecked = []string{"limits/", "known-cost/", "handover/processes", "handover/loopback-tcp"}

// checked is an experiment that fails the test for each variant whose trials look at
// nothing afterwards: one could do no work at all.
func checked(t *testing.T, e harness.Experiment) harness.Experiment {
	e.Variants = slices.Clone(e.Variants)
	for i := range e.Variants {
		open, name := e.Variants[i].Open, e.Name+"/"+e.Variants[i].Name
		if open == nil || slices.ContainsFunc(unchecked, func(start string) bool { return strings.HasPrefix(name, start) }) {
			continue
		}
		e.Variants[i].Open = func(s harness.Setup) (harness.Instance, error) {
			instance, err := open(s)
			if err == nil && instance.Check == nil && instance.Lost == nil {
				t.Errorf("%s has no check", name)
			}
			return instance, err
		}
	}
	return e
}
