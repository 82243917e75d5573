package main

import (
	"fmt"

	"github.com/syncwrite/syncwrite/harness"
)

// Levels of the factor pages.
const (
	warm  = "warm"
	found = "found"
)

// A trial finds warm what it will write, twice: what is prepared, queued and
// kept in memory comes beside it.
const (
	warmLeast = 64 << 20
	warmMost  = 1 << 30
)

// warmBytes is for a trial of so many appends.
func warmBytes(ops, payload int) int64 {
	return min(max(2*int64(ops)*int64(recordSize(payload)+64), warmLeast), warmMost)
}

// onWarmPages adds the factor pages to an experiment whose variants write much.
// A virtual machine can give free memory back to its host. The first touch of a
// page that is not there then takes ten times as long as any append, and which
// trial meets such pages is chance: without this the trials of one cell lay up
// to twelve times apart. Every variant gets the same.
func onWarmPages(e harness.Experiment) harness.Experiment {
	e.Factors = append(e.Factors, harness.Factor{
		Name: "pages", About: "free memory at a trial's start: warm, twice what it will write was just used; found, as the system has it",
		Default: warm, Check: checkPages,
	})
	for i, v := range e.Variants {
		e.Variants[i].Open = func(s harness.Setup) (harness.Instance, error) {
			if s.Factors["pages"] == warm {
				if err := warmPages(warmBytes(s.Ops, len(payloadOf(s)))); err != nil {
					return harness.Instance{}, fmt.Errorf("warm pages: %w", err)
				}
			}
			return v.Open(s)
		}
	}
	return e
}

func checkPages(level string) error {
	if level != warm && level != found {
		return fmt.Errorf("level %q: not %s or %s", level, warm, found)
	}
	return nil
}
