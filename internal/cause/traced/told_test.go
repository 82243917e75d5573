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
		wake := Wake{Place: stack.Place{File: "b.go", Line: 2}, Time: c.woken, Doing: []Doing{{Kind: stack.Sleep, Time: 9}}}
		loss := Loss{Place: stack.Place{File: "a.go", Line: 1}, Time: 100, Woken: []Wake{wake}}
		all := (&Breakdown{Parts: []Part{{Kind: stack.Lock, Time: 100, Places: []Loss{loss}}}}).Told()
		if place := all[0].Places[0]; (place.Woken != "") != c.told || (place.Doing != "") != c.told {
			t.Errorf("%d of 100 waits: %+v", c.woken, place)
		}
	}
}
