package analysis_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// runOf makes a run of one variant at N = 1 with the given throughputs.
func runOf(rates ...float64) *results.Run {
	run := &results.Run{
		Envs:        []results.Env{{Format: results.Format, Machine: results.Machine{CPU: "x", Cores: 2, Go: "go1.26", CPUQuota: results.Missing()}, Settings: results.Settings{Loop: "closed", WindowNS: 1}}},
		Ends:        []results.End{{Status: results.Complete}},
		Experiments: []results.Experiment{{Name: "log", Variants: []results.Variant{{Name: "file", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "process-crash"}}}}},
	}
	for i, rate := range rates {
		run.Trials = append(run.Trials, results.Trial{
			Experiment: "log", Variant: "file", Goroutines: 1, Started: 1, Block: i + 1,
			Ops: 1_000_000, WallNS: int64(1_000_000 / rate * 1e9), GoroutineNS: 1, Usage: results.MissingUsage(),
		})
	}
	return run
}

func spread(center float64) []float64 {
	return []float64{center * 0.99, center * 0.995, center, center, center * 1.005, center * 1.01}
}

func callOf(older, newer []float64) results.Change {
	return analysis.Compare(runOf(older...), runOf(newer...)).Changes[0]
}

func TestCalls(t *testing.T) {
	noisy := []float64{0.5e6, 0.7e6, 1e6, 1e6, 1.3e6, 1.6e6}
	for name, c := range map[string]struct {
		older, newer []float64
		want         string
	}{
		"nothing changed":              {spread(1e6), spread(1e6), results.Same},
		"20 % slower":                  {spread(1e6), spread(0.8e6), results.Worse},
		"2.5 ns, ten times slower":     {spread(400e6), spread(40e6), results.Worse},
		"20 % faster":                  {spread(1e6), spread(1.2e6), results.Better},
		"3 % slower is the margin":     {spread(1e6), spread(0.97e6), results.Same},
		"8 % slower, interval to 3 %":  {spread(1e6), []float64{0.88e6, 0.9e6, 0.92e6, 0.92e6, 0.94e6, 0.98e6}, results.CannotTell},
		"20 % slower in noise":         {noisy, spread(0.8e6), results.CannotTell},
		"three trials":                 {spread(1e6)[:3], spread(0.5e6)[:3], results.CannotTell},
		"5 ns operation, 10 % slower":  {spread(200e6), spread(180e6), results.Same},
		"5 ns operation, twice slower": {spread(200e6), spread(60e6), results.Worse},
	} {
		if got := callOf(c.older, c.newer); got.Call != c.want {
			t.Errorf("%s: called %q, want %q (%+v)", name, got.Call, c.want, got.Ratio)
		}
	}
}

// Two samples of one distribution are called different less often than 5 %:
// the test's level is 4.1 % at six against six, and the margin takes more.
func TestNothingIsMadeOfNoise(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(1, 2))
	sample := func() []float64 {
		xs := make([]float64, 6)
		for i := range xs {
			xs[i] = 1e6 * math.Exp(0.08*random.NormFloat64())
		}
		return xs
	}
	different := 0
	const pairs = 2000
	for range pairs {
		if call := callOf(sample(), sample()).Call; call == results.Better || call == results.Worse {
			different++
		}
	}
	if share := float64(different) / pairs; share > 0.05 {
		t.Errorf("%.1f %% of equal pairs called different", 100*share)
	}
}

// The least drop is true: nothing beyond it is left in the interval, a threshold
// of so much is passed, and one a little smaller is not.
func TestLeastDropIsTheSmallestThresholdPassed(t *testing.T) {
	for name, newer := range map[string][]float64{
		"equal": spread(1e6), "3 % slower": spread(0.97e6), "noisy": {0.5e6, 0.7e6, 1e6, 1e6, 1.3e6, 1.6e6},
	} {
		c := analysis.Compare(runOf(spread(1e6)...), runOf(newer...))
		least := float64(c.Changes[0].Least)
		if got := 1 - float64(c.Changes[0].Ratio.Low); math.Abs(got-least) > 1e-12 {
			t.Errorf("%s: least %v, the interval reaches a drop of %v", name, least, got)
		}
		for drop, want := range map[float64]string{least + 1e-9: results.GatePassed, least - 1e-9: results.GateUnseen} {
			if got := analysis.GateChanges(c, drop)[0]; got.Status != want {
				t.Errorf("%s: a threshold of %v is %s, want %s", name, drop, got.Status, want)
			}
		}
	}
}

func TestWorstComesFirst(t *testing.T) {
	older, newer := runOf(), runOf()
	for n, ratio := range map[int]float64{1: 1.1, 2: 0.5, 4: 0.9, 8: 2} {
		for i, rate := range spread(1e6) {
			for run, r := range map[*results.Run]float64{older: rate, newer: rate * ratio} {
				run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: "file", Goroutines: n, Block: i + 1, Ops: 1e6, WallNS: int64(1e15 / r), Usage: results.MissingUsage()})
			}
		}
	}
	older.Trials = append(older.Trials, results.Trial{Experiment: "log", Variant: "gone", Goroutines: 1, Ops: 1, WallNS: 1})
	c := analysis.Compare(older, newer)
	var order []int
	for _, change := range c.Changes {
		order = append(order, change.Goroutines)
	}
	if !slices.Equal(order, []int{2, 4, 1, 8}) {
		t.Errorf("order by N: %v, want the worst first: 2, 4, 1, 8", order)
	}
	if want := math.Pow(1.1*0.5*0.9*2, 0.25); math.Abs(float64(c.Geomean)-want) > 0.001 {
		t.Errorf("geometric mean %v, want %v", c.Geomean, want)
	}
	if len(c.Only) != 1 || !strings.Contains(c.Only[0], "log/gone@1 is in the old run only") {
		t.Errorf("cells of one run: %v", c.Only)
	}
}

// Each thing that keeps runs from being compared is named.
func TestUnlike(t *testing.T) {
	if unlike := analysis.Unlike(runOf(1), runOf(1)); len(unlike) > 0 {
		t.Errorf("equal runs are unlike: %v", unlike)
	}
	for what, change := range map[string]func(*results.Run){
		"processor":       func(r *results.Run) { r.Envs[0].Machine.CPU = "y" },
		"cores":           func(r *results.Run) { r.Envs[0].Machine.Cores = 3 },
		"GOMAXPROCS":      func(r *results.Run) { r.Envs[0].Machine.GOMAXPROCS = 9 },
		"system":          func(r *results.Run) { r.Envs[0].Machine.Kernel = "7" },
		"processor quota": func(r *results.Run) { r.Envs[0].Machine.CPUQuota = 1 },
		"Go":              func(r *results.Run) { r.Envs[0].Machine.Go = "go1.27" },
		"GOGC":            func(r *results.Run) { r.Envs[0].Machine.GOGC = "off" },
		"clock source":    func(r *results.Run) { r.Envs[0].Machine.Clock = "hpet" },
		"device":          func(r *results.Run) { r.Envs[0].Disk.Device = "/dev/sdb" },
		"mount options":   func(r *results.Run) { r.Envs[0].Disk.Options = "ro" },
		"file system":     func(r *results.Run) { r.Envs[0].Disk.FileSystem = "tmpfs" },
		"window":          func(r *results.Run) { r.Envs[0].Settings.WindowNS = 2 },
		"loop":            func(r *results.Run) { r.Envs[0].Settings.Loop = "open" },
		"operations":      func(r *results.Run) { r.Envs[0].Settings.Ops = 2 },
		"promise":         func(r *results.Run) { r.Experiments[0].Variants[0].Promise.Survives = "nothing" },
	} {
		other := runOf(1)
		change(other)
		if unlike := analysis.Unlike(runOf(1), other); len(unlike) != 1 || !strings.HasPrefix(unlike[0], what) {
			t.Errorf("another %s: %v", what, unlike)
		}
	}
}

// A run is known by when it started, or by its figures where it does not say.
func TestOneRunGivenTwiceIsNotCompared(t *testing.T) {
	run := runOf(spread(1e6)...)
	for _, start := range []time.Time{time.Unix(1, 0), {}} {
		run.Envs[0].Start = start
		if got := analysis.Unlike(run, run); len(got) != 1 || !strings.Contains(got[0], "given twice") {
			t.Errorf("%q", got)
		}
	}
	longer := runOf(spread(1.1e6)...)
	longer.Envs[0].Settings.BudgetNS = 9e9 // of more trials
	if got := analysis.Unlike(run, longer); len(got) > 0 {
		t.Errorf("two runs: %q", got)
	}
}

// Of runs put together each part is asked, in either run, and what two parts say is
// said once.

func TestUnlikeAsksEveryPart(t *testing.T) {
	one, two := runOf(1), runOf(1)
	two.Envs = append(two.Envs, two.Envs[0], two.Envs[0])
	for i := range two.Envs[1:] {
		two.Envs[i+1].Machine.Clock = "hpet"
	}
	for name, unlike := range map[string][]string{"older": analysis.Unlike(two, one), "newer": analysis.Unlike(one, two)} {
		if len(unlike) != 1 || !strings.HasPrefix(unlike[0], "clock source") {
			t.Errorf("later parts of the %s run are of another clock: %q", name, unlike)
		}
	}
}

func TestGateChanges(t *testing.T) {
	noisy := []float64{0.5e6, 0.7e6, 1e6, 1e6, 1.3e6, 1.6e6}
	for name, c := range map[string]struct {
		older, newer []float64
		want         string
	}{
		"equal":                     {spread(1e6), spread(1e6), results.GatePassed},
		"20 % slower":               {spread(1e6), spread(0.8e6), results.GateFailed},
		"near end within threshold": {spread(1e6), spread(0.945e6), results.GateUnseen},
		"anything is possible":      {noisy, noisy, results.GateUnseen},
		"worse within the layout":   {spread(100e6), spread(82e6), results.GateUnseen},
		"too few trials":            {spread(1e6)[:2], spread(0.5e6)[:2], results.GateUnseen},
		"twice as fast":             {spread(1e6), spread(2e6), results.GatePassed},
	} {
		changes := analysis.Compare(runOf(c.older...), runOf(c.newer...))
		if got := analysis.GateChanges(changes, 0.05)[0]; got.Status != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Status, got.Text, c.want)
		}
	}
}

// A ratio far beyond the margin whose interval is not is no matter of layout alone.
func TestGateSaysWhatItCannotSee(t *testing.T) {
	changes := analysis.Compare(runOf(spread(200e6)...), runOf(130e6, 80e6, 165e6, 100e6, 150e6, 120e6))
	got := analysis.GateChanges(changes, 0.05)[0]
	if got.Status != results.GateUnseen || !strings.Contains(got.Text, "not certainly beyond the 30.0 %") {
		t.Errorf("%+v, ratio %+v", got, changes.Changes[0].Ratio)
	}
}

func TestSmallSharesAreNotZero(t *testing.T) {
	c := analysis.Compare(runOf(spread(1e6)...), runOf(spread(100)...))
	if got := analysis.GateChanges(c, 0.0004)[0]; !strings.Contains(got.Threshold, "at most 0.04 % slower") || !strings.Contains(got.Text, "slower by 99.99 %") {
		t.Errorf("%+v", got)
	}
}

// What speaks against the trials of either run speaks against the call and the
// gate: a drop that nobody can trust is no drop, and equality no equality.
func TestDoubtedCellsAreNotCalled(t *testing.T) {
	each := func(change func(*results.Trial)) func(*results.Run) {
		return func(r *results.Run) {
			for i := range r.Trials {
				change(&r.Trials[i])
			}
		}
	}
	for name, doubt := range map[string]func(*results.Run){
		"disturbed":          each(func(t *results.Trial) { t.Warnings = []results.Warning{{Code: results.WarnDisturbed}} }),
		"throttled":          each(func(t *results.Trial) { t.Warnings = []results.Warning{{Code: results.WarnThrottled}} }),
		"a slow start":       each(func(t *results.Trial) { t.Warnings = []results.Warning{{Code: results.WarnSlowStart}} }),
		"beside a stuck one": func(r *results.Run) { r.Trials[2].Warnings = []results.Warning{{Code: results.WarnStuck}} },
		"ended": func(r *results.Run) {
			r.Outcomes = []results.Outcome{{Experiment: "log", Variant: "file", Goroutines: 8, Kind: results.OutcomeError}}
		},
		"nothing finished":       func(r *results.Run) { r.Trials[3].Ops = 0 },
		"windows of a twentieth": each(func(t *results.Trial) { t.Ops /= 20; t.WallNS /= 20 }),
	} {
		for _, rate := range []float64{1e6, 0.5e6} {
			for _, which := range []string{"older", "newer"} {
				runs := map[string]*results.Run{"older": runOf(spread(1e6)...), "newer": runOf(spread(rate)...)}
				doubt(runs[which])
				c := analysis.Compare(runs["older"], runs["newer"])
				if got := c.Changes[0]; got.Call != results.CannotTell || got.Doubt == "" {
					t.Errorf("%s in the %s run: called %q, doubt %q", name, which, got.Call, got.Doubt)
				}
				if gate := analysis.GateChanges(c, 0.05)[0]; gate.Status != results.GateUnseen {
					t.Errorf("%s in the %s run: gate %s", name, which, gate.Status)
				}
			}
		}
	}
}

// What went wrong with one trial of three spoils a cell, and once in six it does not:
// the median is not that of the one. A slow start, which chance can make, spoils from half of the trials on.
func TestDoubtsOfAThirdOfTheTrials(t *testing.T) {
	for code, spoilt := range map[string]int{results.WarnDisturbed: 2, results.WarnThrottled: 2, results.WarnLeft: 2, results.WarnSlowStart: 3} {
		for doubted, want := range map[int]string{spoilt - 1: results.Worse, spoilt: results.CannotTell} {
			older, newer := runOf(spread(1e6)...), runOf(spread(0.5e6)...)
			for i := range doubted {
				newer.Trials[6/spoilt*i].Warnings = []results.Warning{{Code: code}}
			}
			if got := analysis.Compare(older, newer).Changes[0]; got.Call != want {
				t.Errorf("%s in %d of six trials: called %q, want %q (%s)", code, doubted, got.Call, want, got.Doubt)
			}
		}
	}
}

// A cell that vanished is not a cell that held.
func TestLostCellsDoNotPass(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1e6)...)
	gone := older.Trials[0]
	gone.Goroutines = 8
	older.Trials = append(older.Trials, gone)
	gates := analysis.GateChanges(analysis.Compare(older, newer), 0.05)
	if len(gates) != 2 || gates[0].Status != results.GatePassed || gates[1].Status != results.GateUnseen {
		t.Errorf("gates %+v, want one passed and the lost cell inconclusive", gates)
	}
}

// A variant that an error ended before its first trial was not measured, so no gate
// may pass for it, whichever run it failed in. Measured at last, it is missing no more.
func TestVariantsThatFailedDoNotPass(t *testing.T) {
	failed := func(along bool) *results.Run {
		run := runOf(spread(1e6)...)
		run.Experiments = append(run.Experiments, results.Experiment{Name: "limit", Along: along})
		experiment := "log"
		if along {
			experiment = "limit"
		}
		run.Outcomes = []results.Outcome{{Experiment: experiment, Variant: "broken", Goroutines: 8, Kind: results.OutcomeError, Text: "no disk"}}
		return run
	}
	sound, mended := runOf(spread(1e6)...), runOf(spread(1e6)...)
	for _, trial := range mended.Trials {
		trial.Variant, trial.Goroutines = "broken", 8
		mended.Trials = append(mended.Trials, trial)
	}
	for name, c := range map[string]struct {
		older, newer *results.Run
		want         []string
	}{
		"in both runs":           {failed(false), failed(false), []string{results.GatePassed, results.GateUnseen}},
		"of a new variant":       {sound, failed(false), []string{results.GatePassed, results.GateUnseen}},
		"in the newer alone":     {mended, failed(false), []string{results.GatePassed, results.GateUnseen}},
		"in the older":           {failed(false), sound, []string{results.GatePassed, results.GateUnseen}},
		"in the older, and done": {failed(false), mended, []string{results.GatePassed}},
		"along":                  {failed(true), failed(true), []string{results.GatePassed}},
	} {
		var got []string
		for _, g := range analysis.GateChanges(analysis.Compare(c.older, c.newer), 0.9) {
			got = append(got, g.Status)
			if g.Status == results.GateUnseen && g.Threshold != "log/broken@8: at most 90.0 % slower" {
				t.Errorf("%s: %+v", name, g)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The message of a threshold gives the figure that the table gives.
func TestGateRoundsAsTheTable(t *testing.T) {
	c := &results.Comparison{Changes: []results.Change{{Ratio: results.Interval{Median: 0.9, Low: 0.7226, High: 1.1}, Sure: results.Interval{Median: 0.9, Low: 0.7226, High: 1.1}, Least: 0.2774, Margin: 0.05}}}
	if got := analysis.GateChanges(c, 0.05)[0]; !strings.Contains(got.Text, "up to 27.8 % is") || c.Changes[0].LeastText() != "27.8 %" {
		t.Errorf("%q, and in the table %s", got.Text, c.Changes[0].LeastText())
	}
}

// A cell that the newer run was not to measure is not lost to it; one that it was to
// measure is, whatever kept it from that.
func TestOnlyChosenCellsAreHeld(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1e6)...)
	for _, n := range []int{8, 16} {
		gone := older.Trials[0]
		gone.Goroutines = n
		older.Trials = append(older.Trials, gone)
	}
	c := analysis.Compare(older, newer)
	first, second := newer.Trials[0].Cell(), newer.Trials[0].Cell()
	second.Goroutines = 8
	analysis.Chosen(c, []results.Cell{first, second})
	gates := analysis.GateChanges(c, 0.05)
	if len(gates) != 2 || gates[1].Status != results.GateUnseen || !strings.Contains(gates[1].Threshold, "@8") {
		t.Errorf("gates %+v", gates)
	}
	if !slices.Equal(c.Unasked, []string{"log/file@16"}) || len(c.Only) != 1 {
		t.Errorf("unasked %q, only %q", c.Unasked, c.Only)
	}
}

// Nobody asked for what is measured along with another experiment, so no threshold
// holds it, unless somebody asked for it in one of the two runs.
func TestLimitsAreHeldToNoThreshold(t *testing.T) {
	with := func(along bool) *results.Run {
		run := runOf(spread(1e6)...)
		run.Experiments[0].Limits = []results.Limit{{Experiment: "limits", Variant: "cas"}}
		run.Experiments = append(run.Experiments, results.Experiment{Name: "limits", Along: along})
		limit := run.Trials[0]
		limit.Experiment, limit.Variant, limit.Goroutines = "limits", "cas", 1
		run.Trials = append(run.Trials, limit)
		return run
	}
	plain := func() *results.Run { return runOf(spread(1e6)...) }
	for name, c := range map[string]struct {
		older, newer *results.Run
		want         int
	}{
		"along in both":          {with(true), with(true), 1},
		"along in the old":       {with(true), plain(), 1},
		"chosen in both":         {with(false), with(false), 2},
		"chosen in the old":      {with(false), plain(), 2},
		"chosen, and then along": {with(false), with(true), 2},
		"along, and then chosen": {with(true), with(false), 2},
	} {
		if gates := analysis.GateChanges(analysis.Compare(c.older, c.newer), 0.05); len(gates) != c.want {
			t.Errorf("%s: %d thresholds, want %d: %+v", name, len(gates), c.want, gates)
		}
	}
}

// What a gate of 5 % says of drops whose truth is known, at the noise of a quiet
// machine and of a loud one. Passing what dropped by more, or failing what did
// not, happens in no more than the 2.5 % that one end of the interval allows.
func TestGateIsRightAboutKnownDrops(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(3, 4))
	const pairs, drop = 2000, 0.05
	for _, noise := range []float64{0.005, 0.02, 0.08, 0.3} {
		for truth, wrong := range map[float64]string{0: results.GateFailed, 0.04: results.GateFailed, 0.06: results.GatePassed, 0.07: results.GatePassed, 0.2: results.GatePassed} {
			sample := func(center float64) []float64 {
				xs := make([]float64, 6)
				for i := range xs {
					xs[i] = center * math.Exp(noise*random.NormFloat64())
				}
				return xs
			}
			bad := 0
			for range pairs {
				c := analysis.Compare(runOf(sample(1e6)...), runOf(sample(1e6*(1-truth))...))
				gate := analysis.GateChanges(c, drop)[0]
				if gate.Status == wrong {
					bad++
				}
				if gate.Status == results.GateFailed && c.Changes[0].Call != results.Worse {
					t.Fatalf("the gate failed a cell that is called %s", c.Changes[0].Call)
				}
			}
			if share := float64(bad) / pairs; share > 0.03 {
				t.Errorf("noise %.1f %%, true drop %.0f %%: %s in %.1f %% of pairs", 100*noise, 100*truth, wrong, 100*share)
			}
		}
	}
}

func TestGateSpeedup(t *testing.T) {
	run := runOf(spread(1e6)...)
	rates := spread(3e6)
	slices.Reverse(rates) // so that the pairs differ
	for i, rate := range rates {
		run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: "file", Goroutines: 8, Block: i + 1, Ops: 1e6, WallNS: int64(1e15 / rate), Usage: results.MissingUsage()})
	}
	for text, want := range map[string]string{
		"log/file@8>=2.5": results.GatePassed, "log/file@8>=3": results.GateUnseen, "log/file@8>=3.5": results.GateFailed,
	} {
		s, err := analysis.ParseSpeedup(text)
		if err != nil {
			t.Fatal(err)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(run), s)
		if err != nil || len(gates) != 1 || gates[0].Status != want {
			t.Errorf("%s: %+v, error %v, want %s", text, gates, err, want)
		}
	}
	doubted := *run
	doubted.Trials = slices.Clone(run.Trials)
	for i := range doubted.Trials {
		if doubted.Trials[i].Goroutines == 1 {
			doubted.Trials[i].Warnings = []results.Warning{{Code: results.WarnThrottled}}
		}
	}
	gates, err := analysis.GateSpeedup(analysis.Analyze(&doubted), analysis.Speedup{Cell: "log/file@8", Times: 2.5})
	if err != nil || gates[0].Status != results.GateUnseen {
		t.Errorf("against a throttled N = 1: %+v, %v", gates, err)
	}
	for i := range doubted.Trials { // a rate that is a bound from below
		doubted.Trials[i].Warnings = nil
		if doubted.Trials[i].Goroutines == 8 {
			doubted.Trials[i].Warnings = []results.Warning{{Code: results.WarnFewCycles}}
		}
	}
	for name, spoil := range map[string]func(*results.Trial){
		"what failed": func(t *results.Trial) { t.Failed = t.Ops },
		"a generator without processors": func(t *results.Trial) {
			t.Kinds, t.Usage.UserNS, t.Usage.SystemNS = []results.Kind{{Name: "GET /", Ops: t.Ops}}, results.Number(2*t.WallNS), 0
		},
	} {
		spoilt := *run
		spoilt.Envs = slices.Clone(run.Envs)
		spoilt.Envs[0].Machine.GOMAXPROCS = 2
		spoilt.Trials = slices.Clone(run.Trials)
		for i := range spoilt.Trials {
			spoil(&spoilt.Trials[i])
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(&spoilt), analysis.Speedup{Cell: "log/file@8", Times: 2.5})
		if err != nil || gates[0].Status != results.GateUnseen {
			t.Errorf("of %s: %+v, %v", name, gates, err)
		}
	}
	report := analysis.Analyze(&doubted)
	gates, err = analysis.GateSpeedup(report, analysis.Speedup{Cell: "log/file@8", Times: 3.5})
	if scaling := report.Findings[0].Verdict.Scaling; err != nil || gates[0].Status != results.GateUnseen || !strings.Contains(scaling, "one cannot tell") {
		t.Errorf("of users who asked once: %+v, %v; %s", gates, err, scaling)
	}
	for _, bad := range []string{"", "log@8>=2", "log/file>=2", "log/file@8=2", "log/file@8>=x", "log/file@8>=0"} {
		if _, err := analysis.ParseSpeedup(bad); err == nil {
			t.Errorf("%q was taken for a threshold", bad)
		}
	}
	if _, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@4", Times: 1}); err == nil {
		t.Error("a cell that was not measured passed")
	}
}

// A cell that was meant, and that the run was interrupted before or an error ended,
// has not passed.
func TestGateSpeedupOfMissingCells(t *testing.T) {
	b := one("file", "other")
	for n, rate := range map[int]float64{1: 1e5, 4: 3e5} {
		b.cellWith("file", n, map[string]string{"size": "1"}, six(rate)...)
		b.cell("other", n, six(rate)...)
	}
	b.cellWith("file", 1, map[string]string{"size": "2"}, six(1e5)...)
	b.run.Outcomes = []results.Outcome{{Experiment: "log", Variant: "file", Factors: map[string]string{"size": "3"}, Goroutines: 4, Kind: results.OutcomeError}}
	gates, err := analysis.GateSpeedup(analysis.Analyze(&b.run), analysis.Speedup{Cell: "log/file@4", Times: 1.5})
	status := map[string]string{}
	for _, g := range gates {
		status[g.Threshold] = g.Status
	}
	want := map[string]string{
		"log/file/size=1@4: at least 1.50 times N = 1": results.GatePassed,
		"log/file/size=2@4: at least 1.50 times N = 1": results.GateUnseen,
		"log/file/size=3@4: at least 1.50 times N = 1": results.GateUnseen,
	}
	if err != nil || !maps.Equal(status, want) {
		t.Errorf("%v, %v", status, err)
	}
}

// Several trials of a cell in one block belong to nobody.
func TestBlocksThatHoldACellTwicePairNothing(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 8, six(1e5)...)
	b.cell("b", 8, six(2e5)...)
	b.cell("b", 8, six(1e5)...)
	if got := b.finding(t).Verdict.Sentence; strings.Contains(got, "times as fast") {
		t.Error(got)
	}
}

// A cell that is spoilt, or whose N = 1 is, is held to nothing; what is wrong with
// another level of N or with another variant does not matter to it.
func TestSpoiltCellsAreHeldToNoSpeedup(t *testing.T) {
	for _, code := range []string{results.WarnDisturbed, results.WarnThrottled, results.WarnSlowStart, results.WarnStuck} {
		for spoilt, want := range map[string]string{
			"log/file@8": results.GateUnseen, "log/file@1": results.GateUnseen,
			"log/file@4": results.GatePassed, "log/other@8": results.GatePassed,
		} {
			run := runOf(spread(1e6)...)
			for i, one := range run.Trials[:6] {
				for _, variant := range []string{"file", "other"} {
					for _, n := range []int{4, 8} {
						more := one
						more.Variant, more.Goroutines, more.WallNS = variant, n, int64(1e12/(3e6+1e3*float64(i)))
						run.Trials = append(run.Trials, more)
					}
				}
			}
			for i := range run.Trials {
				if run.Trials[i].Cell().Name() == spoilt {
					run.Trials[i].Warnings = []results.Warning{{Code: code}}
				}
			}
			gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@8", Times: 2})
			if err != nil || len(gates) != 1 || gates[0].Status != want {
				t.Errorf("%s in %s: %+v, error %v, want %s", code, spoilt, gates, err, want)
			}
		}
	}
}

func ExampleCompare() {
	c := analysis.Compare(runOf(spread(1e6)...), runOf(spread(0.8e6)...))
	fmt.Println(c.Changes[0].Cell().Name(), "is", c.Changes[0].Call)
	// Output: log/file@1 is worse
}

// One run's many trials do not make up for the few of the other.
func TestFewTrialsOfOneSide(t *testing.T) {
	many := append(append(spread(1e6), spread(1e6)...), spread(1e6)...)
	c := analysis.Compare(runOf(many...), runOf(spread(0.5e6)[:3]...))
	if got := c.Changes[0]; got.Call != results.CannotTell || got.Doubt == "" {
		t.Errorf("%+v", got)
	}
}

// What could not be read of a run is said of its comparison, and doubted cells are
// in no mean.
func TestComparisonTellsWhatItLacks(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1e3)...)
	newer.Problems = []results.Problem{{File: "b.jsonl", Line: 3, Text: "broken"}}
	for i := range newer.Trials {
		newer.Trials[i].Warnings = []results.Warning{{Code: results.WarnDisturbed}}
	}
	c := analysis.Compare(older, newer)
	if !slices.ContainsFunc(c.Warnings, func(w results.Warning) bool { return strings.Contains(w.Text, "b.jsonl:3: skipped: broken") }) {
		t.Errorf("warnings %v", c.Warnings)
	}
	if c.Geomean.Known() {
		t.Errorf("a mean of doubted ratios: %v", c.Geomean)
	}
}

// A cell with a trial that finished nothing is held to no threshold.
func TestGateSpeedupOfEmptyTrials(t *testing.T) {
	run := runOf(append(spread(1e6), spread(1e6)...)...)
	for _, one := range run.Trials[:12] {
		more := one
		more.Goroutines, more.WallNS = 4, one.WallNS/3
		run.Trials = append(run.Trials, more)
	}
	run.Trials[len(run.Trials)-1].Ops = 0
	gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@4", Times: 2})
	if err != nil || len(gates) != 1 || gates[0].Status != results.GateUnseen {
		t.Errorf("%+v, error %v", gates, err)
	}
}

// A level of a factor that the run lacks is no threshold passed.
func TestGateSpeedupOfMissingFactors(t *testing.T) {
	run := &results.Run{Experiments: []results.Experiment{{Name: "log"}}}
	add := func(variant, p string) {
		for _, n := range []int{1, 4} {
			for block := range 6 {
				run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: variant, Factors: map[string]string{"p": p}, Goroutines: n, Started: n,
					Block: block + 1, Ops: 1000 * n, WallNS: 1e9, GoroutineNS: int64(n) * 1e9, Usage: results.MissingUsage()})
			}
		}
	}
	add("a", "3")
	add("b", "3")
	add("b", "9")
	for name, want := range map[string]int{"log/a@4": 2, "log/a/p=9@4": 1, "log/b@4": 2} {
		s, err := analysis.ParseSpeedup(name + ">=1.5")
		if err != nil {
			t.Fatal(err)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(run), s)
		unseen := 0
		for _, g := range gates {
			if g.Status == results.GateUnseen {
				unseen++
			}
		}
		if err != nil || len(gates) != want || (unseen == 1) != strings.Contains(name, "/a") {
			t.Errorf("%s: %+v, error %v", name, gates, err)
		}
	}
}

// Who gives the newer run first is told.
func TestRunsTurnedRound(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1e6)...)
	older.Envs[0].Start = time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	newer.Envs[0].Start = older.Envs[0].Start.Add(time.Hour)
	told := func(c *results.Comparison) bool {
		return slices.ContainsFunc(c.Warnings, func(w results.Warning) bool { return w.Code == results.WarnOrder })
	}
	if told(analysis.Compare(older, newer)) || !told(analysis.Compare(newer, older)) {
		t.Error("the order of the runs is not told")
	}
	for _, turned := range []bool{false, true} {
		first, second := older, newer
		if turned {
			first, second = newer, older
		}
		c := analysis.Compare(first, second)
		gates := analysis.GateChanges(c, 0.5)
		analysis.DoubtOrder(c, gates)
		if len(gates) == 0 {
			t.Fatal("nothing is held to the threshold")
		}
		for _, g := range gates {
			if (g.Status == results.GatePassed) == turned {
				t.Errorf("turned round %t: %+v", turned, g)
			}
		}
	}
}

// A benchmark with the race detector is none without.
func TestBuildsAreUnlike(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1.1e6)...)
	newer.Envs[0].Settings.Flags = []string{"-race"}
	if all := analysis.Unlike(older, newer); len(all) != 1 || all[0] != "go test flags: none, then -race" {
		t.Errorf("%q", all)
	}
}

// Runs that asked a server otherwise are unlike, as are those of before anybody kept what
// was asked; trials of both in one cell are doubted.
func TestWhatWasAskedIsUnlike(t *testing.T) {
	run := func(rate float64, asked map[string]string) *results.Run {
		r := runOf(spread(rate)...)
		r.Envs[0].Settings.Asked = asked
		return r
	}
	one := map[string]string{"URL": "http://a", "wait": "0s"}
	for _, c := range []struct {
		other map[string]string
		want  string
	}{
		{map[string]string{"URL": "http://a", "wait": "0s"}, ""},
		{map[string]string{"URL": "http://b", "wait": "0s"}, "what was asked, URL: http://a, then http://b"},
		{map[string]string{"URL": "http://a", "wait": "0s", "bodies": "sha256 1"}, "what was asked, bodies: none, then sha256 1"},
		{nil, "what was asked, URL: http://a, then not known; what was asked, wait: 0s, then not known"},
	} {
		if got := strings.Join(analysis.Unlike(run(1e6, one), run(1.1e6, c.other)), "; "); got != c.want {
			t.Errorf("%q: %s", c.other, got)
		}
		both := run(1e6, one)
		other := run(1.1e6, c.other)
		other.Envs[0].Settings.Seed = 5
		both.Merge(other)
		warned := slices.ContainsFunc(analysis.Analyze(both).Warnings, func(w results.Warning) bool {
			return w.Code == results.WarnMachines && strings.Contains(w.Text, "planned differently are mixed: what was asked")
		})
		if warned != (c.want != "") {
			t.Errorf("%q: %+v", c.other, analysis.Analyze(both).Warnings)
		}
	}
}

// Of many trials a few can have stalled that the interval of a median leaves out: what all of
// them together lost passes no gate, and is not the same.
func TestCompareOfAFewStalls(t *testing.T) {
	rates := func(stalls bool) (all []float64) {
		for i := range 30 {
			rate := 1e6 * (1 + 0.001*float64(i%7))
			if stalls && i%5 == 0 {
				rate /= 20
			}
			all = append(all, rate)
		}
		return all
	}
	for _, stalls := range []bool{false, true} {
		change := analysis.Compare(runOf(rates(false)...), runOf(rates(stalls)...))
		gate := analysis.GateChanges(change, 0.05)[0]
		if same := change.Changes[0].Call == results.Same; same == stalls || (gate.Status == results.GatePassed) == stalls {
			t.Errorf("stalls %v: %s, %s: %s", stalls, change.Changes[0].Call, gate.Status, gate.Text)
		}
	}
	run := runOf(rates(false)...)
	for i, rate := range rates(true) {
		run.Trials = append(run.Trials, results.Trial{Experiment: "log", Variant: "file", Goroutines: 8, Block: i + 1, Ops: 1e6, WallNS: int64(1e15 / (3 * rate)), Usage: results.MissingUsage()})
	}
	gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@8", Times: 2.8})
	if err != nil || gates[0].Status != results.GateUnseen {
		t.Errorf("%+v, %v", gates, err)
	}
}
