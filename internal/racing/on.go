//go:build race

package racing

// Detector is whether the race detector watches this binary.
const Detector = true
