package cause

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Less than nothing is nothing, since no results hold it; what is missing stays so.
func TestGrown(t *testing.T) {
	if got := grown(7, 3); got != 4 {
		t.Errorf("3 to 7: %v", got)
	}
	if got := grown(3, 7); got != 0 {
		t.Errorf("7 to 3: %v", got)
	}
	if grown(results.Missing(), 1).Known() || grown(1, results.Missing()).Known() {
		t.Error("what is missing has grown")
	}
	var earlier Snapshot
	earlier.process.user, earlier.machine.steal, earlier.runtime.collector.collecting = 5, 5, 5
	if u := (Snapshot{}).Since(earlier); u.UserNS != 0 || u.StealNS != 0 || u.GCCPUNS != 0 {
		t.Errorf("counted backwards: %+v", u)
	}
}
