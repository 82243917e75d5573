package harness

import (
	"slices"
	"strings"
	"testing"

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
		trial := results.Trial{Goroutines: 1, WallNS: 100e6, GoroutineNS: 100e6, Usage: results.MissingUsage()}
		trial.Usage.ThrottledNS = c.held
		if got := slices.Contains(codes(trialWarnings(trial)), results.WarnThrottled); got != c.want {
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
