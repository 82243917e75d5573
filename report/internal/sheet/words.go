package sheet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// Span writes an interval as low–high, with the unit once where both share it. A low bound
// without a unit would be read in that of the high one: so it is written in that.
func Span(i results.Interval, write func(results.Number) string) string {
	if !i.Bounded() {
		return "–"
	}
	low, high := write(i.Low), write(i.High)
	if unit := high[len(high)-1:]; strings.Contains("kMG", unit) {
		low = within(low, unit)
	}
	return low + "–" + high
}

// exponents are those of the units of rates.
var exponents = map[string]string{"k": "e-3", "M": "e-6", "G": "e-9"}

// within writes a rate so that it reads right in front of one of that unit: 15.0 as 0.015
// before k. One with a smaller unit of its own keeps it; so does what is no number, such as
// "<0.001", which is less in any unit.
func within(rate, unit string) string {
	if number, same := strings.CutSuffix(rate, unit); same {
		return number
	}
	n, err := strconv.ParseFloat(rate+exponents[unit], 64)
	if err != nil {
		return rate
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// Dash stands for a text that is empty.
func Dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// Share writes a part of 1 in percent.
func Share(n results.Number) string { return (n * 100).Percent() }

// quantile writes a quantile of latency. One that is no longer than what the
// clock can time is only known to be at most that.
func quantile(s results.Summary, q float64, ns results.Number) string {
	if !ns.Known() && s.UnderFloor.Known() && q <= float64(s.UnderFloor) {
		return "≤ " + s.FloorNS.Nanoseconds()
	}
	return ns.Nanoseconds()
}

// P50, P90, P99 and P999 write a quantile, or what it is known to be at most.
func P50(s results.Summary) string { return quantile(s, 0.5, s.P50NS) }

func P90(s results.Summary) string { return quantile(s, 0.9, s.P90NS) }

func P99(s results.Summary) string { return quantile(s, 0.99, s.P99NS) }

func P999(s results.Summary) string { return quantile(s, 0.999, s.P999NS) }

// RatioOf writes a ratio with enough digits to tell 0.995 from 1.
func RatioOf(n results.Number) string {
	if !n.Known() {
		return "–"
	}
	if n > 0 && n < 0.1 {
		return n.Three()
	}
	return fmt.Sprintf("%.3f", float64(n))
}
