package hist

import "math"

// beyond is how many values must lie past a quantile for Carried to give it.
const beyond = 10

// Carried is Quantile where at least ten recorded values lie beyond it, and
// NaN where the histogram holds too few to carry it: a p99 needs 1,000.
func (h *Histogram) Carried(q float64) float64 {
	const rounding = 1e-6 // 100 × (1 - 0.9) is a little less than 10
	if float64(h.Count())*(1-q) < beyond-rounding {
		return math.NaN()
	}
	return h.Quantile(q)
}
