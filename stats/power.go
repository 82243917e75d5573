package stats

import "math"

// Normal quantiles of how often a comparison decides.
const (
	FourOfFive     = 0.8416
	NineteenOf20   = 1.6449
	sureOnEachSide = 1.9600 // of an interval at 95 %
)

// ErrorThatDecides is how large the standard error of the logarithm of a ratio may be for a drop, a share
// between 0 and 1, to lie outside of its interval at 95 % as often as the quantile says, where there
// is none: the interval is 1.96 standard errors wide on each side, and the quantile of them is room for the
// estimate itself (Cohen, Statistical Power Analysis, 1988, section 2).
func ErrorThatDecides(drop, quantile float64) float64 {
	return -math.Log(1-drop) / (sureOnEachSide + quantile)
}
