// Package parallel runs a parallel benchmark and reports what its operations
// took, not only how many of them went by.
//
// [testing.B.RunParallel] divides wall time by b.N: with eight goroutines that
// each sleep a millisecond it says 125 µs. [Run] is used the same way and
// reports goroutine time, throughput and the latency of single operations, by
// [testing.B.ReportMetric]: the benchmark is an ordinary one that needs nothing
// but go test.
//
// When not to use it: to measure benchmarks as they are. "syncwrite test" does
// that with no change to anyone's code.
package parallel
