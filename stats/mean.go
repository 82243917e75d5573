package stats

// Mean returns the arithmetic mean of xs; NaN without values.
func Mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Variance returns that of the values that xs are drawn from: the sum of their squared
// deviations from the mean, divided by one less than there are. It is NaN for fewer than two.
func Variance(xs []float64) float64 { return squares(xs) / float64(len(xs)-1) }

// squares is the sum of the squared deviations from the mean.
func squares(xs []float64) float64 {
	mean, sum := Mean(xs), 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return sum
}
