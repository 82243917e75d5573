package trials

import (
	"fmt"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// Levels of the factor pages.
const (
	warm  = "warm"
	found = "found"
)

// OnWarmPages adds the factor pages to an experiment whose variants write much:
// without it the trials of one cell lay up to twelve times apart. Every variant
// gets the same.
func OnWarmPages(e harness.Experiment) harness.Experiment {
	e.Factors = append(e.Factors, pagesFactor())
	for i, v := range e.Variants {
		e.Variants[i].Open = func(s harness.Setup) (harness.Instance, error) {
			release, err := holdPages(s)
			if err == nil {
				err = release()
			}
			if err != nil {
				return harness.Instance{}, err
			}
			return v.Open(s)
		}
	}
	return e
}

func pagesFactor() harness.Factor {
	return harness.Factor{
		Name: "pages", About: "free memory that a trial writes to: warm, twice what it will write was just used; found, as the system has it",
		Default: warm, Check: checkPages,
	}
}

// holdPages uses twice the memory that the trial will write until release, or
// none where pages are to be as they are found.
func holdPages(s harness.Setup) (release func() error, err error) {
	if s.Factors["pages"] != warm {
		return func() error { return nil }, nil
	}
	release, err = memory.Hold(memory.Wanted(s.Ops, recordSize(len(workload.Payload(s)))))
	if err != nil {
		return nil, fmt.Errorf("warm pages: %w", err)
	}
	return release, nil
}

func checkPages(level string) error {
	if level != warm && level != found {
		return fmt.Errorf("level %q: not %s or %s", level, warm, found)
	}
	return nil
}
