package results

import (
	"testing"

	"github.com/syncwrite/syncwrite/hist"
)

// A server that sheds: failures end at once, and most of what it does ends after the window.
func TestDoneOfAServerThatSheds(t *testing.T) {
	well := 185
	o := Open{Due: 2000, WindowNS: 2e9, EndNS: 5.1e9, Ended: 1700, Well: &well, EarlyNS: 1e6, Serve: Latency{MeanNS: 1e9}}
	if done := o.DonePerS(484); done < 90 || done > 96 {
		t.Errorf("%v/s are done", done)
	}
}

// Successes of 400 ms, of which 100 a second are due for two seconds: one failure of 200
// takes nothing off the rate but itself.
func TestDoneBesideFailures(t *testing.T) {
	for failed, want := range map[int]Number{0: 100, 1: 99.5, 9: 95.5} {
		ended, usual := 160, 40
		well := ended - failed*ended/200
		h := &hist.Histogram{}
		h.Record(1e6) // one that was short
		h.Record(400e6)
		o := Open{Due: 200, WindowNS: 2e9, LastNS: 1.99e9, BegunNS: 1.99e9, EndNS: 2.4e9, Ended: ended, Well: &well, EarlyNS: 400e6, Usual: &usual, Serve: NewLatency(h, Each)}
		if done := o.DonePerS(200 - failed); done < 0.98*want || done > 1.02*want {
			t.Errorf("%d failed: %v/s are done, want %v", failed, done, want)
		}
	}
}

// Nine tenths fail at once, so that the mean of all says nothing of how many successes are
// under way.
func TestDoneBesideMostFailing(t *testing.T) {
	well, usual := 16, 4
	h := &hist.Histogram{}
	h.Record(400e6)
	o := Open{Due: 200, WindowNS: 2e9, LastNS: 1.99e9, BegunNS: 1.99e9, EndNS: 2.4e9, Ended: 196, Well: &well, EarlyNS: 40e6, Usual: &usual, Serve: NewLatency(h, Each)}
	if done := o.DonePerS(20); done < 9.8 || done > 10.2 {
		t.Errorf("%v/s are done, want 10", done)
	}
}

// What operations only hand over is not done when they end: 500 a second are taken, and 200
// done. What is done soon behind the last of them is no backlog.
func TestDoneOfWhatIsHandedOver(t *testing.T) {
	h := &hist.Histogram{}
	h.Record(1e4)
	o := Open{Due: 500, WindowNS: 1e9, LastNS: 998e6, BegunNS: 998e6, EndNS: 2.5e9, FinishNS: 1.5e9, Ended: 500, EarlyNS: 1e4, Serve: NewLatency(h, Each)}
	if kept, judged := o.KeptUp(); kept || !judged || o.DonePerS(500) < 199 || o.DonePerS(500) > 201 {
		t.Errorf("kept %v, judged %v, %v/s are done", kept, judged, o.DonePerS(500))
	}
	o.EndNS, o.FinishNS = 1.04e9, 40e6
	if kept, judged := o.KeptUp(); !kept || !judged || o.DonePerS(500) != 500 {
		t.Errorf("soon: kept %v, judged %v, %v/s are done", kept, judged, o.DonePerS(500))
	}
}
