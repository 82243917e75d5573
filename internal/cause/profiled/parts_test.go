package profiled

import (
	"slices"
	"testing"
	"time"

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
		Ran:      Losses{{Kind: stack.Running, Place: at, Time: 50}}, All: 100, UnlockedAll: 100,
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
		got, err := Window{WallNS: 250, TimeNS: 1000, UsedNS: c.used, WaitedNS: c.waited, LockedNS: results.Missing(), Besides: c.besides}.Parts(s)
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
	for begun, want := range map[results.Number]int64{0: 240, 1: 0, results.Missing(): 0} { // of others that began nobody knows how long they waited
		got, err := Window{WallNS: 250, TimeNS: 1000, UsedNS: 200, WaitedNS: 240, LockedNS: results.Missing(), Begun: begun}.Parts(s)
		at := slices.IndexFunc(got, func(p results.BreakdownPart) bool { return p.Kind == results.TimeRunnable })
		if err != nil || (at >= 0) != (want > 0) || at >= 0 && got[at].NS != want {
			t.Errorf("%v began: %+v, %v", float64(begun), got, err)
		}
	}
}

// Where locks were given on is told where nearly all waits ended there, by who is looked at, who
// waited nearly always at one place.
func TestUnlocking(t *testing.T) {
	lock := func(line int, time time.Duration) Loss {
		return Loss{Kind: stack.Lock, Place: stack.Place{File: "a.go", Line: line}, Time: time}
	}
	for name, c := range map[string]struct {
		s    Samples
		want string
	}{
		"one lock":                    {Samples{Blocked: Losses{lock(1, 90), lock(3, 10)}, Unlocked: Losses{lock(2, 85)}, UnlockedAll: 100}, "a.go:2"},
		"given on at several lines":   {Samples{Blocked: Losses{lock(1, 90)}, Unlocked: Losses{lock(2, 50), lock(4, 50)}, UnlockedAll: 100}, ""},
		"others gave theirs on":       {Samples{Blocked: Losses{lock(1, 90)}, Unlocked: Losses{lock(2, 50)}, UnlockedAll: 100}, ""},
		"two locks":                   {Samples{Blocked: Losses{lock(1, 60), lock(3, 40)}, Unlocked: Losses{lock(2, 85)}, UnlockedAll: 100}, ""},
		"nobody of theirs gave it on": {Samples{Blocked: Losses{lock(1, 90)}, UnlockedAll: 100}, ""},
	} {
		if got := unlocking(&c.s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	parts := byKind(Losses{lock(1, 90), lock(3, 10)}, "a.go:2")
	if places := parts[0].Places; places[0].Woken != "a.go:2" || places[1].Woken != "" {
		t.Errorf("the second place has the line of the first one's lock: %+v", places)
	}
}

// The profile of blocking takes waits for a processor for waits for a mutex, where one that was woken
// finds it taken again: no more is told than the runtime counts, but of the lock inside a file, which it does not count.
func TestNoMoreAtMutexesThanIsCounted(t *testing.T) {
	lost := func(kind stack.Kind, call string, time time.Duration) Loss {
		return Loss{Kind: kind, Place: stack.Place{File: "a.go", Line: 1, Call: call}, Time: time}
	}
	for name, c := range map[string]struct {
		counted results.Number
		blocked Losses
		locks   int64
	}{
		"a tenth is counted": {100, Losses{lost(stack.Lock, "sync.(*Mutex).Lock", 400)}, -1}, // of a beat of its own it may count none
		"none is counted":    {0, Losses{lost(stack.Lock, "sync.(*Mutex).Lock", 480)}, -1},
		"nearly as much":     {360, Losses{lost(stack.Lock, "sync.(*Mutex).Lock", 400)}, 400},
		"nobody counted":     {results.Missing(), Losses{lost(stack.Lock, "sync.(*Mutex).Lock", 400)}, 400},
		"within the noise":   {300, Losses{lost(stack.Lock, "sync.(*Mutex).Lock", 400)}, -1},
		"a file's lock":      {0, Losses{lost(stack.Lock, results.FileLock, 400)}, 400},
		"two places":         {100, Losses{lost(stack.Lock, "a", 300), lost(stack.Lock, "b", 100), lost(stack.Channel, "", 200)}, -1},
	} {
		parts, err := Window{WallNS: 250, TimeNS: 1000, UsedNS: results.Missing(), WaitedNS: 300, LockedNS: c.counted}.Parts(&Samples{Blocked: c.blocked})
		at := slices.IndexFunc(parts, func(p results.BreakdownPart) bool { return p.Kind == results.TimeLock })
		if (err != nil) != (c.locks < 0) || err == nil && (at < 0 || parts[at].NS != c.locks) {
			t.Errorf("%s: %+v, %v", name, parts, err)
		}
	}
}
