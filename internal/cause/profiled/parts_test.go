package profiled

import (
	"testing"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
	"github.com/syncwrite/syncwrite/results"
)

// What profiles and counters have is put together: time on processors as much as the system
// says, what is left as unexplained, and nothing where the sum passes the whole by far.
func TestParts(t *testing.T) {
	at := stack.Place{File: "a.go", Line: 1}
	s := &Samples{
		Blocked:  Losses{{Kind: stack.Lock, Place: at, Time: 500}, {Kind: stack.Channel, Time: 100}},
		Unlocked: Losses{{Kind: stack.Lock, Place: stack.Place{File: "b.go", Line: 2}, Time: 90}, {Kind: stack.Lock, Time: 10}},
		Ran:      Losses{{Kind: stack.Running, Place: at, Time: 50}}, All: 100,
	}
	for _, c := range []struct {
		name    string
		used    results.Number
		waited  results.Number
		besides int
		want    map[string]int64 // nil: refused
	}{
		{"all", 200, 240, 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 240, results.TimeUnknown: 60}},
		{"another goroutine waited, too, for all that is known", 200, 340, 1, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 90, results.TimeUnknown: 210}},
		{"nothing counted", results.Missing(), results.Missing(), 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeUnknown: 400}},
		{"no wait is longer than what is left", 200, 500, 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 300}},
		{"too long a wait", 200, 610, 0, nil},
		{"a little much", 880, 0, 0, map[string]int64{results.TimeLock: 480, results.TimeChannel: 96, results.TimeRunning: 423, results.TimeUnknown: 1}}, // of fractions
		{"too much", 920, 0, 0, nil},
	} {
		got, err := Window{WallNS: 250, TimeNS: 1000, UsedNS: c.used, WaitedNS: c.waited, Besides: c.besides}.Parts(s)
		if (err != nil) != (c.want == nil) {
			t.Fatalf("%s: %v", c.name, err)
		}
		sum := int64(0)
		for _, p := range got {
			sum += p.NS
			if want := c.want[p.Kind]; p.NS < want-1 || p.NS > want+1 {
				t.Errorf("%s: %s %d ns, want %d", c.name, p.Kind, p.NS, want)
			}
			if p.Kind == results.TimeLock && (p.Places[0].Where != "a.go:1" || p.Places[0].Woken != "b.go:2") {
				t.Errorf("%s: %+v", c.name, p.Places)
			}
		}
		if err == nil && (len(got) != len(c.want) || sum > 1000 || sum < 990) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	s.Unlocked[0].Time = 30 // most waits ended elsewhere
	if got := unlocking(s.Unlocked); got != "" {
		t.Errorf("all waits ended at %s", got)
	}
}
