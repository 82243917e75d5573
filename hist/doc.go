// Package hist keeps latencies in a log-linear histogram of fixed size that
// merges without loss.
//
// A [Histogram] is 4096 counters: every octave is split into 128 buckets of
// equal width, so values up to 255 ns are kept exactly and any other value up
// to 2^38 ns (about 275 s) is known to within 1/128 of itself. Count, sum, min
// and max are exact throughout. Give each goroutine its own histogram and
// [Histogram.Merge] them afterwards: the result is what one histogram would
// have held, whatever the order.
//
// When not to use it: for values that are not nanoseconds (the resolution is
// chosen for them), for latencies beyond 275 s (only the largest one is kept),
// for a handful of values (a sorted slice is smaller than 32 KiB and exact),
// and from several goroutines at once (nothing here is synchronized).
package hist
