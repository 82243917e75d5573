package hist

import "math"

// Carried is Quantile where at least ten recorded values lie beyond it, and
// NaN where the histogram holds too few to carry it: a p99 needs 1,000.
func (h *Histogram) Carried(q float64) float64 {
	if !h.Carries(q, 0) {
		return math.NaN()
	}
	return h.Quantile(q)
}

// Carries reports whether at least ten values lie beyond a quantile: of those
// recorded, and of so many that are known to be longer than it.
func (h *Histogram) Carries(q float64, longer int) bool {
	const least, rounding = 10, 1e-6 // 100 × (1 - 0.9) is a little less than 10
	return float64(h.Count())*(1-q)+float64(longer) >= least-rounding
}
