//go:build !race

package actor_test

const raceDetector = false
