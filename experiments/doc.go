// Package experiments holds the catalogue: one file an experiment, its
// question in the first line of the file.
//
// An experiment of your own needs no place here: build a harness.Experiment,
// append it to [Catalogue] and hand the list to cmd.Main (examples/own shows
// it), or measure a closure with package harness alone.
//
// Do not use it to get at the measured things: they live under subject/ and
// know nothing of the instrument.
package experiments
