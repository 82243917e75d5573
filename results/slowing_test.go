package results

import (
	"math"
	"testing"
)

// The slowing is what the second half's operations took more than the first's, by their
// mean: two to one is two thirds.
func TestSlowing(t *testing.T) {
	for _, c := range []struct {
		name  string
		trial Trial
		want  float64
	}{
		{"steady", Trial{Ops: 100, WallNS: 1000, HalfOps: 50, HalfNS: 500}, 0},
		{"twice as slow", Trial{Ops: 100, WallNS: 900, HalfOps: 50, HalfNS: 300}, 2. / 3},
		{"twice as fast", Trial{Ops: 100, WallNS: 900, HalfOps: 50, HalfNS: 600}, -2. / 3},
		{"halves of other sizes", Trial{Ops: 100, WallNS: 1000, HalfOps: 60, HalfNS: 600}, 0},
		{"ends as the last was accepted", Trial{Ops: 100, WallNS: 5000, AcceptedNS: 1000, HalfOps: 50, HalfNS: 500}, 0},
		{"no halves", Trial{Ops: 100, WallNS: 1000}, math.NaN()},
		{"no second half", Trial{Ops: 100, WallNS: 1000, HalfOps: 100, HalfNS: 900}, math.NaN()},
		{"no time for the second", Trial{Ops: 100, WallNS: 1000, HalfOps: 50, HalfNS: 1000}, math.NaN()},
	} {
		got := float64(c.trial.Slowing())
		if math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: slowing of %g, not %g", c.name, got, c.want)
		}
	}
}
