package results

// Above leaves out the quantiles that are not above the floor: what is no
// longer than that the clock cannot time, and shows as noise.
func (l Latency) Above(floor Number) Latency {
	l.FloorNS = floor
	for _, q := range []*Number{&l.P50NS, &l.P90NS, &l.P99NS, &l.P999NS} {
		if *q <= floor {
			*q = Missing()
		}
	}
	return l
}
