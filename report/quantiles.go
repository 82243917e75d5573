package report

import "github.com/syncwrite/syncwrite/results"

// quantile writes a quantile of latency. One that is no longer than what the
// clock can time is only known to be at most that.
func quantile(s results.Summary, q float64, ns results.Number) string {
	if !ns.Known() && s.UnderFloor.Known() && q <= float64(s.UnderFloor) {
		return "≤ " + s.FloorNS.Nanoseconds()
	}
	return ns.Nanoseconds()
}

func p50(s results.Summary) string  { return quantile(s, 0.5, s.P50NS) }
func p90(s results.Summary) string  { return quantile(s, 0.9, s.P90NS) }
func p99(s results.Summary) string  { return quantile(s, 0.99, s.P99NS) }
func p999(s results.Summary) string { return quantile(s, 0.999, s.P999NS) }
