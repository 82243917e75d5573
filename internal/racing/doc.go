// Package racing tells a test whether the race detector watches it.
package racing

import "testing"

// Simulation leaves a simulation of one goroutine to the same test without the race detector, which
// makes it many times slower and has nothing to find in it.
func Simulation(t testing.TB) {
	if Detector {
		t.Skip("a simulation of one goroutine: nothing races, and the race detector multiplies its time")
	}
}
