package analysis

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Of programs in turns the margin is held to a change for itself, and of other runs to it as one of so many, too.
func TestCallOfTurns(t *testing.T) {
	interval := func(low, median, high results.Number) results.Interval {
		return results.Interval{Low: low, Median: median, High: high}
	}
	for name, c := range map[string]struct {
		ratio, sure     results.Interval
		turns, anywhere string
	}{
		"slower, barely among so many":  {interval(0.85, 0.9, 0.94), interval(0.8, 0.9, 0.99), results.Worse, results.CannotTell},
		"faster, barely among so many":  {interval(1.06, 1.1, 1.15), interval(1.01, 1.1, 1.2), results.Better, results.CannotTell},
		"slower, a chance":              {interval(0.85, 0.9, 0.94), interval(0.8, 0.9, 1.01), results.CannotTell, results.CannotTell},
		"faster, a chance":              {interval(1.06, 1.1, 1.15), interval(0.99, 1.1, 1.2), results.CannotTell, results.CannotTell},
		"slower, as layout can make it": {interval(0.9, 0.94, 0.97), interval(0.88, 0.94, 0.99), results.CannotTell, results.CannotTell},
		"faster, as layout can make it": {interval(1.03, 1.06, 1.1), interval(1.01, 1.06, 1.12), results.CannotTell, results.CannotTell},
		"slower in any case":            {interval(0.85, 0.88, 0.91), interval(0.8, 0.88, 0.94), results.Worse, results.Worse},
		"faster in any case":            {interval(1.1, 1.15, 1.2), interval(1.07, 1.15, 1.25), results.Better, results.Better},
	} {
		change := results.Change{Ratio: c.ratio, Sure: c.sure, Margin: 0.05}
		if got := call(change); got != c.anywhere {
			t.Errorf("%s: %s, want %s", name, got, c.anywhere)
		}
		if change.Turns = true; call(change) != c.turns {
			t.Errorf("%s, in turns: %s, want %s", name, call(change), c.turns)
		}
	}
}
