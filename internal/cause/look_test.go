package cause

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What the process and its children used is not others'.
func TestBetweenLooks(t *testing.T) {
	before := []string{"cpu  100 0 50 1000 0 0 0 5 0 0", "77 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 40 10 3 2 20 0", ""}
	after := []string{"cpu  200 0 70 1400 0 0 0 9 0 0", "77 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 90 20 8 7 20 0", ""}
	u := Between(before, after)
	if u.OthersNS != (120-70)*tickNS || u.StealNS != 4*tickNS {
		t.Errorf("others %v, steal %v ticks; want 50 and 4", u.OthersNS/tickNS, u.StealNS/tickNS)
	}
	if u := Between(after, before); u.OthersNS != 0 || u.StealNS != 0 {
		t.Errorf("counted backwards: others took %v, the hypervisor %v", u.OthersNS, u.StealNS)
	}
	for _, hidden := range [][]string{nil, {""}, {after[0], "", ""}, {"", after[1], ""}, {after[0], "1 (x) R 1 2 3 4 5 6 7 8 9 10 a b c d", ""}} {
		if u := Between(before, hidden); u.OthersNS.Known() {
			t.Errorf("%q: others took %v", hidden, u.OthersNS)
		}
	}
}

// The doubt begins above a tenth of the processors' time.
func TestDisturbed(t *testing.T) {
	u := results.MissingUsage()
	if _, is := Disturbed(u, 1e9, 4); is {
		t.Error("disturbed by what nobody measured")
	}
	for share, want := range map[results.Number]bool{0.09: false, 0.12: true} {
		u.OthersNS = share*1e9*4 + tickNS
		if doubt, is := Disturbed(u, 1e9, 4); is != want || is && doubt.Code != results.WarnDisturbed {
			t.Errorf("%v of the time: %v", share, doubt)
		}
	}
}
