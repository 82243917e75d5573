package cause

import (
	"os"
	"testing"

	"github.com/syncwrite/syncwrite/internal/processors"
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

// A process's time by its clock lies between what getrusage(2) says before and behind, so
// it is that of all its threads, to far less than a tick.
func TestOfProcess(t *testing.T) {
	if !OfProcess(os.Getpid()).Known() {
		t.Skip("no processor time of processes on this system")
	}
	_, byClock := processors.Used(os.Getpid())
	used := func() results.Number { p := takeProcess(); return p.user + p.system }
	for range 50 {
		before := used()
		got := OfProcess(os.Getpid())
		if after := used(); byClock && (got < before-2e3 || got > after+2e3) { // getrusage cuts off a microsecond of either part
			t.Fatalf("%v ns, getrusage %v before and %v behind", got, before, after)
		}
	}
	if got := OfProcess(1 << 22); got.Known() {
		t.Errorf("a process that is not there has used %v", got)
	}
}
