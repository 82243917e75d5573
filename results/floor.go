package results

// Above returns the latencies with their floor: what the clock cannot tell, its
// own step or the cost of a reading, is no latency. Quantiles that are not above
// it are missing.
func (l Latency) Above(floor Number) Latency {
	l.FloorNS = floor
	for _, q := range []*Number{&l.P50NS, &l.P90NS, &l.P99NS, &l.P999NS} {
		if *q <= floor {
			*q = Missing()
		}
	}
	return l
}
