//go:build !race

package main_test

// raceEnabled is whether the race detector watches.
const raceEnabled = false
