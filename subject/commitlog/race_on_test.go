//go:build race

package commitlog

// raceEnabled is whether the race detector watches.
const raceEnabled = true
