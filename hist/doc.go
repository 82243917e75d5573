// Package hist keeps latencies in a log-linear histogram of fixed size that
// merges without loss.
//
// A [Histogram] is 4096 counters: every octave is split into 128 buckets of
// equal width, so values up to 255 ns are kept exactly and any other value
// below 255·2^30 ns (about 274 s) is known to within 1/128 of itself. The last
// bucket has all from there on. Count, sum, min and max are exact throughout.
// Give each goroutine its own histogram and [Histogram.Merge] them afterwards:
// the result is what one histogram would have held, whatever the order.
//
// When not to use it: for values that are not nanoseconds (the resolution is
// chosen for them), for latencies of 274 s and longer (only the largest one is
// kept), for a handful of values (a sorted slice is smaller than 32 KiB and
// exact), and from several goroutines at once (nothing here is synchronized).
package hist
