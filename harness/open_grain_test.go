package harness

import (
	"testing"
	"time"
)

// At 10,000 a second nothing waits for company; at 50,000 a few do.
func TestWhatIsDueTogether(t *testing.T) {
	for rate, want := range map[string]int64{"2k/s": grain, "10k/s": grain, "30k/s": grain, "51k/s": coarseGrain, "1M/s": coarseGrain} {
		a, err := ParseArrivals(rate)
		if err != nil {
			t.Fatal(err)
		}
		o := opening{due: a.moments(time.Second, nil)}
		if got := o.sleeps(100); got != want {
			t.Errorf("%s: %v, want %v", rate, time.Duration(got), time.Duration(want))
		}
		if got := o.sleeps(len(o.due) - 1); got != grain {
			t.Errorf("%s: the last waits %v", rate, time.Duration(got))
		}
	}
}
