package cmd

import (
	"io"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What ended a variant in the older of two programs that took turns fails the command, too: not all was
// done that it was asked to do. What failed in a baseline is none of this run's.
func TestErrorsOfTheOtherProgram(t *testing.T) {
	older := &results.Run{Outcomes: []results.Outcome{{Experiment: "e", Variant: "v", Goroutines: 2, Kind: results.OutcomeError, Text: "killed"}}}
	inTurns, baseline := runFlags{turns: true}, runFlags{}
	if err := failed(io.Discard, inTurns.errors(older, new(results.Run))); err == nil || !strings.Contains(err.Error(), "e/v at N = 2: in the older program: killed") {
		t.Errorf("%v", err)
	}
	if err := failed(io.Discard, baseline.errors(older, new(results.Run))); err != nil {
		t.Errorf("%v", err)
	}
}
