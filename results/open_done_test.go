package results

import "testing"

// A server that sheds: failures end at once, and most of what it does ends after the window.
func TestDoneOfAServerThatSheds(t *testing.T) {
	well := 185
	o := Open{Due: 2000, WindowNS: 2e9, EndNS: 5.1e9, Ended: 1700, Well: &well, EarlyNS: 1e6, Serve: Latency{MeanNS: 1e9}}
	if done := o.DonePerS(484); done < 90 || done > 96 {
		t.Errorf("%v/s are done", done)
	}
}
