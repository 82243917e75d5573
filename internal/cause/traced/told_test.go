package traced

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// Who ended waits is told where it ended most of them, and of none else.
func TestWokenAtMost(t *testing.T) {
	for _, c := range []struct {
		woken time.Duration
		told  bool
	}{{51, true}, {50, false}, {25, false}} {
		wake := Wake{Place: stack.Place{File: "b.go", Line: 2}, Time: c.woken, Doing: []Doing{{Kind: stack.Sleep, Time: 40}}}
		loss := Loss{Place: stack.Place{File: "a.go", Line: 1}, Time: 100, Woken: []Wake{wake}}
		all := (&Breakdown{Parts: []Part{{Kind: stack.Lock, Time: 100, Places: []Loss{loss}}}}).Told()
		if place := all[0].Places[0]; (place.Woken != "") != c.told || (place.Doing != "") != c.told {
			t.Errorf("%d of 100 waits: %+v", c.woken, place)
		}
	}
}

// What those did who ended waits is told if it was most of what they have been seen to do, and
// that is a hold's part of the waits: not of who came when others had held the lock all the time.
func TestDoingMostOfAHold(t *testing.T) {
	for name, c := range map[string]struct {
		n    int
		did  []time.Duration // of 1,000
		told bool
	}{
		"a hold of three":              {4, []time.Duration{300, 20}, true},
		"half a hold of three":         {4, []time.Duration{160, 10}, true},
		"a goroutine that just began":  {4, []time.Duration{10, 5}, false},
		"one of fifteen":               {16, []time.Duration{60}, true},
		"three equal parts of it":      {2, []time.Duration{300, 300, 300}, false},
		"nothing":                      {4, nil, false},
		"all of it, by another's hand": {1, []time.Duration{900}, true},
	} {
		wake := Wake{Time: 1000}
		for i, d := range c.did {
			wake.Doing = append(wake.Doing, Doing{Kind: stack.Sleep, Place: stack.Place{Line: i}, Time: d})
		}
		if got := doing(wake, c.n); (got != "") != c.told {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A place of the library alone is called once.
func TestDoingInTheLibrary(t *testing.T) {
	wake := Wake{Time: 1000, Doing: []Doing{{Kind: stack.Network, Place: stack.Place{Call: "net/http.(*persistConn).readLoop"}, Time: 1000}}}
	if got := doing(wake, 2); got != "waiting for the network at net/http.(*persistConn).readLoop" {
		t.Error(got)
	}
}
