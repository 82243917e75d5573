package analysis

import (
	"cmp"
	"slices"
	"strconv"
)

// asGiven writes a bound that somebody gave: as usual where that is the bound itself, else with
// all of its digits. What is held to 5.04 % is not told as held to 5.0 %.
func asGiven(bound float64, usual string) string {
	if read, _ := strconv.ParseFloat(usual, 64); read == bound {
		return usual
	}
	return strconv.FormatFloat(bound, 'f', -1, 64)
}

// mostDigits is how many digits a figure is given behind the point, so as to read on its side
// of a bound.
const mostDigits = 6

// onItsSide writes a figure with so many digits behind the point, or with as many more as it
// takes to read above every bound that it is above, and below every one that it is below.
func onItsSide(x float64, digits int, bounds ...float64) string {
	for ; ; digits++ {
		text := strconv.FormatFloat(x, 'f', digits, 64)
		if digits >= mostDigits || readsOnItsSide(text, x, bounds...) {
			return text
		}
	}
}

func readsOnItsSide(text string, x float64, bounds ...float64) bool {
	read, _ := strconv.ParseFloat(text, 64)
	return !slices.ContainsFunc(bounds, func(bound float64) bool { return cmp.Compare(read, bound) != cmp.Compare(x, bound) })
}

// threeOnItsSide writes a figure with three digits, or with as many as it takes to read on its
// side of the bound.
func threeOnItsSide(x, bound float64) string {
	if text := three(x); readsOnItsSide(text, x, bound) {
		return text
	}
	return onItsSide(x, 1, bound)
}

// percent writes a share with one digit behind the point, or with as many as it takes not to
// read 0 or 100 %, nor as one on the other side of a bound.
func percent(share float64, bounds ...float64) string {
	ends := []float64{0, 100}
	for _, bound := range bounds {
		ends = append(ends, inPercent(bound))
	}
	return onItsSide(inPercent(share), 1, ends...) + " %"
}

// percentAsGiven writes a share that somebody gave.
func percentAsGiven(share float64) string {
	bound := inPercent(share)
	return asGiven(bound, strconv.FormatFloat(bound, 'f', 1, 64)) + " %"
}

// inPercent is a share in percent, without what binary arithmetic adds to a decimal of fifteen
// digits: 5.04 % is 0.0504, and a hundred times that a bit more than 5.04.
func inPercent(share float64) float64 {
	percent, _ := strconv.ParseFloat(strconv.FormatFloat(share*100, 'g', 15, 64), 64)
	return percent
}
