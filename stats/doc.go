// Package stats puts a median and an interval on a few measurements without
// assuming how they are distributed: floats in, floats out.
//
// The intervals are made of order statistics: the bounds are themselves
// measurements, or lie between two that follow one another, and the coverage is
// a binomial sum that holds, then nearly, for any continuous distribution. Six
// values are the fewest that carry one at 95 %.
//
// When not to use it: for figures that are not independent (the latencies
// within one trial: keep them in a histogram instead), and for samples so large
// that copying and sorting them matters.
package stats
