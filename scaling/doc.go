// Package scaling says how throughput changes with the number of goroutines:
// against the serial rate, which is what one operation after another would
// reach. It takes and gives plain numbers.
//
// When not to use it: for programs that offer work at a given rate (open loop)
// or that have no cell at one goroutine, since everything here is relative to
// that one.
package scaling
