package trials

import "github.com/syncwrite/syncwrite/harness"

// RivalSteady is the durable part of rival-log once a log has begun: a window
// in which every log fills several segments, and ours prepares and seals them
// beside the appends. Logs that flush once for each append are left out. They do
// what one goroutine does, and would take minutes a trial.
func RivalSteady() harness.Experiment {
	e := RivalLog().Only(append(SteadyRivals(), "file-durable")...)
	e.Name, e.Question = "rival-steady", "What does a durable append cost in a window of several segments?"
	e.Factors[0].Default = "1024"
	e.Goroutines = []int{64}
	return e
}

// SteadyRivals share a flush among the appends that wait for it.
func SteadyRivals() []string { return []string{"leveldb-durable", "pebble-durable", "bbolt-durable"} }
