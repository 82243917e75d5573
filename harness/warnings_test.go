package harness

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

func codes(all []results.Warning) (codes []string) {
	for _, w := range all {
		codes = append(codes, w.Code)
	}
	return codes
}

func TestAThrottledTrialIsDoubted(t *testing.T) {
	for _, c := range []struct {
		held results.Number
		want bool
	}{{results.Missing(), false}, {0, false}, {1e6, false}, {1.1e6, true}, {150e6, true}} {
		trial := results.Trial{Goroutines: 1, Ops: 1e6, WallNS: 100e6, GoroutineNS: 100e6, Usage: results.MissingUsage()}
		trial.Usage.ThrottledNS = c.held
		if got := slices.Contains(codes(trialWarnings(trial, &planned{cellState: &cellState{Ops: 1e6, Rate: 1e7}})), results.WarnThrottled); got != c.want {
			t.Errorf("held back for %v of 100 ms: warned %v, want %v", c.held.Nanoseconds(), got, c.want)
		}
	}
}

// What a machine hides is said, and not taken for nothing.
func TestWhatCannotBeMeasuredIsSaid(t *testing.T) {
	env := results.Env{LoadBefore: results.Missing(), Unmeasured: []string{"steal", results.UnmeasuredQuota}}
	env.Machine.GOOS = "linux"
	warnings := environmentWarnings(env)
	if len(warnings) != 1 || warnings[0].Code != results.WarnPlatform || !strings.HasSuffix(warnings[0].Text, "not measured here: steal, cgroup quota") {
		t.Errorf("warnings %v", warnings)
	}
	env.Unmeasured = nil
	if warnings := environmentWarnings(env); len(warnings) > 0 {
		t.Errorf("warnings %v of a machine that hides nothing", warnings)
	}
}

// What one trial shows by itself, and beside its plan, is doubted.
func TestTrialWarnings(t *testing.T) {
	good := results.Trial{Goroutines: 1, Ops: 10_000, WallNS: 100e6, GoroutineNS: 100e6, Usage: results.MissingUsage()}
	for code, change := range map[string]func(*results.Trial, *planned){
		"":                    func(*results.Trial, *planned) {},
		" ":                   func(_ *results.Trial, p *planned) { p.Rate, p.byTime = p.Rate*4, true }, // nothing was calibrated
		results.WarnFewOps:    func(x *results.Trial, p *planned) { x.Ops = 99; p.Ops = 99; p.Rate = 990 },
		results.WarnSlowStart: func(x *results.Trial, _ *planned) { x.FirstNS, x.LaterNS = 20e6, 8e3 },
		results.WarnSlowStart + " ": func(x *results.Trial, p *planned) { // also of exactly 100
			x.Ops, p.Ops, p.Rate, x.FirstNS, x.LaterNS = 100, 100, 1000, 70e6, 3e5
		},
		results.WarnSlowStart + "  ": func(x *results.Trial, p *planned) { // also while 63 wait for it
			x.Goroutines, x.Ops, x.WallNS, x.GoroutineNS, x.FirstNS, x.LaterNS = 64, 100, 1235e6, 64*1235e6, 1002e6, 150e6
			p.Ops, p.Rate, p.Startup = 100, 430, 1
		},
		results.WarnPlan:       func(_ *results.Trial, p *planned) { p.Rate *= 4 },
		results.WarnPlan + " ": func(_ *results.Trial, p *planned) { p.Rate /= 4 }, // also where it took less
		results.WarnShort:      func(x *results.Trial, p *planned) { x.WallNS, x.GoroutineNS = 40e6, 40e6 },
		results.WarnEffective:  func(x *results.Trial, _ *planned) { x.GoroutineNS = 80e6 },
	} {
		x, p := good, &planned{cellState: &cellState{Ops: 10_000, Rate: 1e5}}
		change(&x, p)
		got := trialWarnings(x, p)
		code = strings.TrimSpace(code)
		if code == "" && len(got) > 0 || code != "" && (len(got) != 1 || got[0].Code != code) {
			t.Errorf("%s: warnings %v", code, got)
		}
	}
}

// What the processes of a trial used that another program measured is nobody else's.
func TestProcessesOfATrialAreNoOthers(t *testing.T) {
	for share, want := range map[results.Number]bool{0.05: false, 0.15: true} {
		x := results.Trial{Goroutines: 1, Ops: 10_000, WallNS: 1e9, GoroutineNS: 1e9, Usage: results.MissingUsage()}
		own := 0.4e9 * results.Number(runtime.NumCPU())
		x.Processes = []results.Process{{Name: results.Generator, CPUNS: own}, {Name: results.Master, CPUNS: own}}
		x.Usage.OthersNS = 2*own + share*1e9*results.Number(runtime.NumCPU())
		if got := slices.Contains(codes(trialWarnings(x, &planned{byTime: true, cellState: &cellState{}})), results.WarnDisturbed); got != want {
			t.Errorf("others use %v: doubted %v", share, got)
		}
	}
}

// Beside a server of this machine what others take is known where the server's part is.
func TestOthersBesideAServer(t *testing.T) {
	for _, c := range []struct {
		processes bool
		others    float64 // of all processors, besides the server's half
		user      results.Number
		want      bool
	}{
		{true, 0.05, 1, false}, {true, 0.3, 1, true}, // a generator in this process
		{false, 0.3, 1, false},                // a server of which nothing is known
		{true, 0.3, results.Missing(), false}, // started for the trial, with much that is nobody's
	} {
		x := results.Trial{Goroutines: 1, Ops: 10_000, WallNS: 1e9, GoroutineNS: 1e9, Usage: results.MissingUsage()}
		own := results.Number(0.5e9 * float64(runtime.NumCPU()))
		if x.Usage.UserNS = c.user; c.processes {
			x.Processes = []results.Process{{Name: results.Server, CPUNS: own}, {Name: results.Generator, CPUNS: own / 5}}
		}
		x.Usage.OthersNS = own + results.Number(c.others*1e9*float64(runtime.NumCPU()))
		if got := slices.Contains(codes(trialWarnings(x, &planned{byTime: true, beside: true, cellState: &cellState{}})), results.WarnDisturbed); got != c.want {
			t.Errorf("%+v: doubted %v", c, got)
		}
	}
}

// Of operations side by side, one for each goroutine or few more, the window is the
// first one: that is no slow start.
func TestOneOperationEachIsNoSlowStart(t *testing.T) {
	for _, c := range []struct {
		ops           int
		wall, laterNS int64
		want          bool
	}{
		{16, 100_400_000, 0, false},
		{19, 130_000_000, 60_000_000, false}, // the first of them had 100 ms, the last of them 30 after it
		{19, 110_000_000, 10_000_000, true},
	} {
		x := results.Trial{Goroutines: 16, Ops: c.ops, WallNS: c.wall, GoroutineNS: 16 * c.wall, FirstNS: 100e6, LaterNS: c.laterNS, Usage: results.MissingUsage()}
		p := &planned{cellState: &cellState{Ops: c.ops, Rate: float64(c.ops) / float64(c.wall) * 1e9}}
		if got := slices.Contains(codes(trialWarnings(x, p)), results.WarnSlowStart); got != c.want {
			t.Errorf("%d operations, later ones of %d ns: told a slow start %v, want %v", c.ops, c.laterNS, got, c.want)
		}
	}
}

// What a quota does to a trial is nothing that its operation does.
func TestAThrottledOperationIsNotCalledUnsteady(t *testing.T) {
	for held, isHeld := range map[results.Number]bool{0: false, 60e6: true} {
		x := results.Trial{Goroutines: 1, Ops: 10_000, WallNS: 400e6, GoroutineNS: 400e6, Usage: results.MissingUsage()}
		x.Usage.ThrottledNS = held
		all := trialWarnings(x, &planned{cellState: &cellState{Ops: 10_000, Rate: 1e5}})
		if len(all) == 0 || all[0].Code != results.WarnPlan || strings.Contains(all[0].Text, "not steady") == isHeld || !strings.Contains(all[0].Text, "4.00 times") {
			t.Errorf("held back for %s: %v", held.Nanoseconds(), all)
		}
	}
}

// What others took is a share of the time in which it was measured, not of a window that
// ended before the last request had failed.
func TestOthersAreAShareOfTheTimeThatIsCovered(t *testing.T) {
	for covered, disturbed := range map[int64]bool{0: true, 1e9: true, 10e9: false} {
		x := results.Trial{Goroutines: 1, Ops: 10_000, WallNS: 1e9, GoroutineNS: 1e9, Usage: results.MissingUsage(), UsageNS: covered}
		x.Usage.OthersNS = results.Number(0.3e9 * float64(runtime.NumCPU()))
		all := trialWarnings(x, &planned{cellState: &cellState{Ops: 10_000, Rate: 1e4}})
		if is := slices.ContainsFunc(all, func(w results.Warning) bool { return w.Code == results.WarnDisturbed }); is != disturbed {
			t.Errorf("in %v: %v", time.Duration(covered), all)
		}
	}
}
