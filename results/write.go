package results

import (
	"fmt"
	"math"
	"strconv"
)

// unknown is how a number that cannot be given is written.
const unknown = "–"

// Rate writes operations a second with three digits and a unit: 1.23k, 45.6M.
func (n Number) Rate() string {
	x := float64(n)
	switch {
	case !n.Known():
		return unknown
	case x >= 999.5e6:
		return Number(x/1e9).Three() + "G"
	case x >= 999.5e3:
		return Number(x/1e6).Three() + "M"
	case x >= 999.5:
		return Number(x/1e3).Three() + "k"
	}
	return n.Three()
}

// Nanoseconds writes a duration given in nanoseconds with three digits and a
// unit: 12.3 ns, 4.56 µs, 789 ms.
func (n Number) Nanoseconds() string {
	x := float64(n)
	switch {
	case !n.Known():
		return unknown
	case x == 0:
		return "<1 ns"
	case x >= 999.5e6:
		return Number(x/1e9).Three() + " s"
	case x >= 999.5e3:
		return Number(x/1e6).Three() + " ms"
	case x >= 999.5:
		return Number(x/1e3).Three() + " µs"
	}
	return n.Three() + " ns"
}

// Three writes the number with three significant digits and no exponent.
func (n Number) Three() string {
	x := math.Abs(float64(n))
	switch {
	case !n.Known():
		return unknown
	case x >= 99.95 || x == 0:
		return strconv.FormatFloat(float64(n), 'f', 0, 64)
	case x >= 9.995:
		return strconv.FormatFloat(float64(n), 'f', 1, 64)
	}
	return strconv.FormatFloat(float64(n), 'f', 2, 64)
}

// Percent writes a number of percent without digits behind the point.
func (n Number) Percent() string {
	if !n.Known() {
		return unknown
	}
	return fmt.Sprintf("%.0f %%", math.Round(float64(n))+0) // +0: never "-0"
}
