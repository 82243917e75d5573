// Package gotest runs go test with parallel benchmarks made honest, with no
// change to anyone's code.
//
// go test divides the wall time of a parallel benchmark by its operations: that
// is a rate dressed as a time (golang/go issue 28813). [Run] compiles the tests
// with an overlay of the user's own testing/benchmark.go, edited when it runs
// ([Edit]): nothing of Go's source is shipped. Each goroutine then accounts for
// its own time and times single operations where it asks for more of them, and
// nowhere else: the fast path of PB.Next does not grow.
//
// docs/go-test.md says what is printed and what the figures mean.
//
// When not to use it: for benchmarks written anew, package gotest/parallel gives
// the same figures under plain go test.
package gotest
