//go:build race

package actor_test

const raceDetector = true
