package analysis_test

import (
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// go test sets GOMAXPROCS: that does not make one machine two. For other runs it
// does.
func TestProcsOfGoTestAreNoOtherMachine(t *testing.T) {
	for loop, want := range map[string]bool{results.GoTest: false, "closed": true} {
		env := func(procs int) results.Env {
			return results.Env{Machine: results.Machine{CPU: "one", GOMAXPROCS: procs}, Settings: results.Settings{Loop: loop}}
		}
		r := analysis.Analyze(&results.Run{Envs: []results.Env{env(1), env(2)}})
		got := slices.ContainsFunc(r.Warnings, func(w results.Warning) bool { return w.Code == results.WarnMachines })
		if got != want {
			t.Errorf("%s: two machines: %v", loop, got)
		}
	}
}
