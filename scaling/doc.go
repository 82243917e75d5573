// Package scaling says how throughput changes with the number of goroutines:
// against the serial rate, which is what one operation after another would
// reach, and by the Universal Scalability Law, with what is known of its
// numbers. It takes and gives plain numbers.
//
// When not to use it: for programs that offer work at a given rate (open loop).
// The serial rate also needs a cell at one goroutine, the law four levels.
package scaling
