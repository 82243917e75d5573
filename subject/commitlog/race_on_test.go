//go:build race

package commitlog

// usualCrashes are fewer where each takes ten times as long: the simulation has one
// goroutine, and the race detector nothing to see.
const usualCrashes = 4_000
