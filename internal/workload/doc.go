// Package workload is what the goroutines of a trial do to one thing that they
// share (a counter, a log, a map, a set) and what they must find in it afterwards:
// a thing that loses or invents something voids its trial.
//
// It stands between our own things and other people's, in the experiments and
// beside the rivals, so that both do the same work and pass the same check.
package workload

import "github.com/syncwrite/syncwrite/results"

// promised is what a thing for all goroutines promises that ends with its process.
func promised() results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
}
