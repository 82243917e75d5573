package stats

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// WelchRatio estimates by what factor the values of x exceed those of y, two independent
// samples of values that are off by a share of what they should be: the quotient of their
// geometric means, with the interval of Welch's t test of their logarithms (Welch 1947, with
// the degrees of freedom of Satterthwaite 1946). Unlike [RatioInterval] it has bounds at any
// confidence below 1, but believes that logarithms are normal.
//
// Samples of fewer than two values, values that are not above 0 and finite, or a confidence
// outside 0..1 give NaN.
func WelchRatio(x, y []float64, confidence float64) Interval {
	if len(x) < 2 || len(y) < 2 || !allPositive(x) || !allPositive(y) || !(confidence >= 0 && confidence < 1) {
		return Interval{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	x, y = logarithms(x), logarithms(y)
	ofX, ofY := Variance(x)/float64(len(x)), Variance(y)/float64(len(y))
	off := 0.0
	if both := ofX + ofY; both > 0 {
		freedom := both * both / (ofX*ofX/float64(len(x)-1) + ofY*ofY/float64(len(y)-1))
		off = math.Sqrt(both) * moremath.InvCDF(moremath.TDist{V: freedom})(0.5+confidence/2)
	}
	d := Mean(x) - Mean(y)
	return Interval{Median: math.Exp(d), Low: math.Exp(d - off), High: math.Exp(d + off)}
}

func logarithms(xs []float64) []float64 {
	logs := make([]float64, len(xs))
	for i, x := range xs {
		logs[i] = math.Log(x)
	}
	return logs
}
