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

// warmBytes is what a trial finds warm, at most: what it writes, several times.
const warmBytes = 1 << 30

// onWarmPages adds the factor pages to an experiment whose variants write much.
// A virtual machine can give free memory back to its host. The first touch of a
// page that is not there then takes ten times as long as any append, and which
// trial meets such pages is chance: without this the trials of one cell lay up
// to twelve times apart. Every variant gets the same.
func onWarmPages(e harness.Experiment) harness.Experiment {
	e.Factors = append(e.Factors, harness.Factor{
		Name: "pages", About: "free memory at a trial's start: warm, 1 GiB of it was just used; found, as the system has it",
		Default: warm, Check: checkPages,
	})
	for i, v := range e.Variants {
		e.Variants[i].Open = func(s harness.Setup) (harness.Instance, error) {
			if s.Factors["pages"] == warm {
				if err := warmPages(); err != nil {
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
