package stats

import (
	"math"
	"slices"
)

// Regimes are two groups that values fall into, with nothing between them.
type Regimes struct {
	Low, High float64 // the geometric mean of each
	Share     float64 // of the values that are in the high one
}

const (
	leastOfRegime = 2   // values in each of two regimes, and
	leastPart     = 6   // one in so many: fewer stalled
	leastGap      = 1.1 // between the groups, as a ratio
)

// TwoRegimes reports whether positive values are of two kinds, as the rates of a program are
// that is now in one state and now in another: of all places to part them, ordered, at the
// widest gap of their logarithms, with two values and a sixth of all on each side at least, the gap is a tenth at
// least, and so many standard deviations within the groups as one sample in a hundred of values
// of one kind has. That is of uniform ones, or of those with heavy tails where they are many:
// samples of normal, exponential or skewed ones have it less often (a test draws them). Values of one group are no
// farther apart than half the gap: two that lie low, and unlike each other, are no regime.
func TwoRegimes(xs []float64) (r Regimes, two bool) {
	least := max(leastOfRegime, (len(xs)+leastPart-1)/leastPart)
	if len(xs) < 2*least || !allPositive(xs) {
		return r, false
	}
	logs := logarithms(xs)
	slices.Sort(logs)
	at := least
	for i := least; i <= len(logs)-least; i++ {
		if logs[i]-logs[i-1] > logs[at]-logs[at-1] {
			at = i
		}
	}
	low, high := logs[:at], logs[at:]
	gap := logs[at] - logs[at-1]
	within := math.Sqrt((squares(low) + squares(high)) / float64(len(logs)-2))
	r = Regimes{Low: math.Exp(Mean(low)), High: math.Exp(Mean(high)), Share: float64(len(high)) / float64(len(logs))}
	across := max(low[len(low)-1]-low[0], high[len(high)-1]-high[0])
	return r, gap > math.Log(leastGap) && gap > width(len(logs))*within && gap > 2*across
}

// width is the gap that parts n values, in standard deviations within the groups.
func width(n int) float64 {
	few := map[int]float64{4: 23, 5: 15, 6: 11, 7: 8.5, 8: 7.5, 9: 6.5}
	if w, is := few[n]; is {
		return w
	}
	return 6
}
