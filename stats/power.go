package stats

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// ErrorThatDecides is how large the standard error of the logarithm of a ratio may be for a drop, a share
// between 0 and 1, to lie outside of its interval at 95 % so often, a share of comparisons, where there
// is none: the interval takes 1.96 standard errors on each side, and the estimate itself has room for as many as it
// seldom exceeds (Cohen, Statistical Power Analysis, 1988, section 2). Where the error is known from so few values that
// it has the degrees of freedom given, they are those of Student's t; infinite freedom is where it is known.
func ErrorThatDecides(drop, often, freedom float64) float64 {
	quantile := moremath.InvCDF(moremath.TDist{V: freedom})
	if math.IsInf(freedom, 1) {
		quantile = moremath.NormalDist{Sigma: 1}.InvCDF
	}
	return -math.Log(1-drop) / (quantile(0.975) + quantile(often))
}
