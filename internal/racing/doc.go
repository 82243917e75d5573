// Package racing tells a test whether the race detector watches it.
package racing

import "testing"

// Simulation leaves a simulation of one goroutine to the same test without the race detector, which
// makes it many times slower and has nothing to find in it. With -short it is left out, too.
func Simulation(t testing.TB) {
	if testing.Short() {
		t.Skip("a simulation of thousands of cases")
	}
	if Detector {
		t.Skip("a simulation of one goroutine: nothing races, and the race detector multiplies its time")
	}
}
