package main

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// The catalogue holds ours and one's own, and one's own can be measured.
func TestOwnExperimentRuns(t *testing.T) {
	all := catalogue()
	if all[0].Name != "known-cost" && all[0].Name != "log" || all[len(all)-1].Name != "random" {
		t.Fatalf("catalogue starts with %s and ends with %s", all[0].Name, all[len(all)-1].Name)
	}
	config := harness.Config{Goroutines: []int{1, 2}, Trials: 1, Window: time.Millisecond, Dir: t.TempDir()}
	run, err := harness.Run(t.Context(), config, random())
	if err != nil || len(run.Outcomes) > 0 || len(run.Trials) != 4 {
		t.Errorf("%d trials, outcomes %v, error %v", len(run.Trials), run.Outcomes, err)
	}
}
