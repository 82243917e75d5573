package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// unknown is how a number that cannot be given is written.
const unknown = "–"

// Rate writes operations a second with three digits and a unit: 1.23k, 45.6M.
func (n Number) Rate() string {
	x := math.Abs(float64(n))
	switch {
	case !n.Known():
		return unknown
	case x >= 999.5e6:
		return (n / 1e9).Three() + "G"
	case x >= 999.5e3:
		return (n / 1e6).Three() + "M"
	case x >= 999.5:
		return (n / 1e3).Three() + "k"
	}
	return n.Three()
}

// Nanoseconds writes a duration given in nanoseconds with three digits and a
// unit: 12.3 ns, 4.56 µs, 789 ms.
func (n Number) Nanoseconds() string {
	x := math.Abs(float64(n))
	switch {
	case !n.Known():
		return unknown
	case x == 0:
		return "<1 ns"
	case x >= 999.5e6:
		return (n / 1e9).Three() + " s"
	case x >= 999.5e3:
		return (n / 1e6).Three() + " ms"
	case x >= 999.5:
		return (n / 1e3).Three() + " µs"
	}
	return n.Three() + " ns"
}

// Three writes the number with three significant digits, no exponent and no
// more than three digits behind the point. What that would round to zero is
// written as less than 0.001.
func (n Number) Three() string {
	x := math.Abs(float64(n))
	switch {
	case !n.Known():
		return unknown
	case x == 0:
		return "0"
	case x >= 99.95:
		return n.digits(0)
	case x >= 9.995:
		return n.digits(1)
	case x >= 0.9995:
		return n.digits(2)
	case x >= 0.0005:
		return n.digits(3)
	case n < 0:
		return ">-0.001"
	}
	return "<0.001"
}

func (n Number) digits(behind int) string { return strconv.FormatFloat(float64(n), 'f', behind, 64) }

// Share writes a part of one in percent with three digits: 12.3 %, 0.045 %. What is less than
// all has as many digits as it takes not to read 100 %, up to three behind the point.
func (n Number) Share() string {
	if !n.Known() {
		return unknown
	}
	percent := n * 100
	if n < 1 && percent >= 99.95 {
		return almostAll(percent) + " %"
	}
	return percent.Three() + " %"
}

func almostAll(percent Number) string {
	switch {
	case percent < 99.995:
		return percent.digits(2)
	case percent < 99.9995:
		return percent.digits(3)
	}
	return ">99.999"
}

// Percent writes a number of percent without digits behind the point.
func (n Number) Percent() string {
	if !n.Known() {
		return unknown
	}
	return fmt.Sprintf("%.0f %%", math.Round(float64(n))+0) // +0: never "-0"
}

// FewNames are three names at most, and a count of the others.
func FewNames(all []string) string {
	if left := len(all) - 3; left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:3], ", "), left)
	}
	return strings.Join(all, ", ")
}

// Count writes so many of something: 1 trial, 2 trials.
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
