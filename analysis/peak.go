package analysis

import (
	"cmp"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// lessDue orders cells of the open loop by the most that was due in a second at any moment of
// the window, as that is what breaks first, and those of one peak by what was due on average.
// It is 0 where both are equal.
func lessDue(a, b results.Summary) int {
	return cmp.Or(cmp.Compare(peakRate(a), peakRate(b)), cmp.Compare(a.Open.DuePerS, b.Open.DuePerS))
}

// peakRate is the highest of the steps, or of the two ends of the ramp, that a cell's level of
// the rate names. Of a level that this program cannot read it is what was due on average.
func peakRate(sum results.Summary) float64 {
	level := strings.TrimPrefix(sum.Factors[results.RateFactor], results.DrawnRate)
	peak := 0.0
	for _, word := range strings.FieldsFunc(level, func(r rune) bool { return r == '+' || r == '-' }) {
		rate, err := parseRate(word)
		if err != nil {
			return float64(sum.Open.DuePerS)
		}
		peak = max(peak, rate)
	}
	return cmp.Or(peak, float64(sum.Open.DuePerS))
}
