package results

// Above leaves out the quantiles that are not above the floor: what is no
// longer than that the clock cannot time, and shows as noise. No median is more
// than twice the mean (Markov's inequality): one that is shows what the clock
// took, and the floor is as high.
func (l Latency) Above(floor Number) Latency {
	if l.P50NS > 2*l.MeanNS && !(floor > l.P50NS) {
		floor = l.P50NS
	}
	l.FloorNS = floor
	for _, q := range []*Number{&l.P50NS, &l.P90NS, &l.P99NS, &l.P999NS} {
		if *q <= floor {
			*q = Missing()
		}
	}
	return l
}
