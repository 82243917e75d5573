//go:build !race

package commitlog

// usualCrashes is how many crashes are simulated where -crashes says nothing else.
const usualCrashes = 20_000
