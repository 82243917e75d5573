package results

import (
	"math"
	"strconv"
)

// Number is a measured value that may be missing. Missing is NaN or ±Inf in
// Go and null in JSON, so that no reader takes "not measured" for zero.
type Number float64

// Missing is the Number of what was not, or could not be, measured.
func Missing() Number { return Number(math.NaN()) }

// Known reports whether the number was measured.
func (n Number) Known() bool {
	return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0)
}

// MarshalJSON writes null for a number that is not known.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

// UnmarshalJSON reads null as a missing number.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Missing()
		return nil
	}
	value, err := strconv.ParseFloat(string(text), 64)
	*n = Number(value)
	return err
}

// Interval is a median with the bounds of its confidence interval. A bound
// that the number of trials cannot carry is missing.
type Interval struct {
	Median Number `json:"median"`
	Low    Number `json:"low"`
	High   Number `json:"high"`
}

// NoInterval is the interval of what was not measured.
func NoInterval() Interval { return Interval{Missing(), Missing(), Missing()} }

// Bounded reports whether both bounds are known.
func (i Interval) Bounded() bool { return i.Low.Known() && i.High.Known() }

// HalfWidth is the larger distance from the median to a bound, as a share of
// the median (0.1 is 10 %). It is missing where the interval is.
func (i Interval) HalfWidth() Number {
	if !i.Bounded() || i.Median == 0 {
		return Missing()
	}
	return max(i.High-i.Median, i.Median-i.Low) / i.Median
}
