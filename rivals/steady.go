package main

import (
	"slices"

	"github.com/syncwrite/syncwrite/harness"
)

// rivalSteady is the durable part of rival-log once a log has begun: a window
// in which every log fills several segments, and ours prepares and seals them
// beside the appends. Logs that flush once for each append are left out. They do
// what one goroutine does, and would take minutes a trial.
func rivalSteady() harness.Experiment {
	payload := payloadFactor()
	payload.Default = "1024"
	e := harness.Experiment{
		Name:       "rival-steady",
		Question:   "What does a durable append cost in a window of several segments?",
		Unit:       "append",
		Factors:    []harness.Factor{payload},
		Goroutines: []int{64},
	}
	for _, r := range rivals() {
		if r.name == "file-durable" || slices.Contains(steadyRivals(), r.name) {
			e.Variants = append(e.Variants, r.variant())
		}
	}
	return e
}

// steadyRivals share a flush among the appends that wait for it.
func steadyRivals() []string { return []string{"leveldb-durable", "pebble-durable", "bbolt-durable"} }
