package cause

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// The collector's part is the runtime's share of the system's time; where both accounts
// do not fit, there is none.
func TestCollectorsPart(t *testing.T) {
	for _, c := range []struct {
		name                      string
		collecting, running, used results.Number // seconds
		want                      results.Number
	}{
		{"a tenth", 1, 10, 10, 1},
		{"a tenth, two processors lent for a while", 1, 10, 8, 0.8},
		{"none", 0, 10, 10, 0},
		{"none, and no time of the system's", 0, 10, results.Missing(), 0},
		{"eight processors of two", 4, 40, 10, results.Missing()},
		{"blocked in system calls", 1, 40, 5, results.Missing()},
		{"little, beside neighbours", 0.2, 40, 10, 0.05},
		{"no metrics", results.Missing(), results.Missing(), 10, results.Missing()},
		{"nothing ran", 1, 0, 10, results.Missing()},
		{"no time of the system's", 1, 10, results.Missing(), results.Missing()},
	} {
		got := collectorUsage{c.collecting, c.running}.since(collectorUsage{}, c.used*1e9)
		if got.Known() != c.want.Known() || c.want.Known() && (got < c.want*1e9-1 || got > c.want*1e9+1) {
			t.Errorf("%s: %v s of %v", c.name, float64(got/1e9), float64(c.want))
		}
	}
}
