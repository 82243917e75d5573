package results_test

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What no cause explains is no waiting of the operation's own where others, a quota or a
// GOMAXPROCS beyond the cores may have kept the processors.
func TestBlockedByNobodyElse(t *testing.T) {
	for code, known := range map[string]bool{
		results.WarnDisturbed: false, results.WarnThrottled: false, results.WarnCores: false, results.WarnProcessors: true,
	} {
		s := results.Summary{Cause: results.Cause{Unexplained: 0.9}, Warnings: []results.Warning{{Code: code}}}
		if got := s.Blocked(); got.Known() != known {
			t.Errorf("%s: %v", code, float64(got))
		}
	}
}
