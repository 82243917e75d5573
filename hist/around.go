package hist

import "math"

// Around returns between which values the latency that Quantile estimates lies,
// both inclusive; NaN where Quantile is.
func (h *Histogram) Around(q float64) (low, high float64) {
	if h.count == 0 || math.IsNaN(q) {
		return math.NaN(), math.NaN()
	}
	switch rank := nearestRank(q, h.count); rank {
	case 1:
		return float64(h.Min()), float64(h.Min())
	case h.count:
		return float64(h.Max()), float64(h.Max())
	default:
		least, most := h.bounds(h.bucketAt(rank))
		return max(float64(least), float64(h.Min())), min(float64(most), float64(h.Max()))
	}
}
