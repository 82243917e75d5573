package cmd

import (
	"fmt"
	"io"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// announce says what will be measured and how long it takes.
func announce(w io.Writer, experiments []harness.Experiment, c harness.Config, estimate time.Duration) {
	trials := results.Count(c.Trials, "trial")
	if c.Pairs != nil {
		trials = fmt.Sprintf("%d to %d trials", harness.LeastPairs, c.Trials)
	}
	for _, e := range experiments {
		fmt.Fprintf(w, "syncwrite: %s: %s, %s of N, %s each\n", e.Name,
			results.Count(len(e.Variants), "variant"), results.Count(len(c.LevelsOf(e)), "level"), trials)
	}
	if c.Ops > 0 {
		fmt.Fprintf(w, "syncwrite: trials of %d operations take as long as they take; Ctrl-C keeps what is finished\n", c.Ops)
		return
	}
	least := ""
	if c.Pairs != nil {
		least = fmt.Sprintf("%v to ", (estimate * harness.LeastPairs / time.Duration(c.Trials)).Round(time.Second))
	}
	fmt.Fprintf(w, "syncwrite: about %s%v; Ctrl-C keeps what is finished\n", least, estimate.Round(time.Second))
}

// corrected shows progress, and says once how long the run takes where calibration found
// that it is more than twice what was announced: a slow cell does as many operations as
// the fastest of its variant.
func corrected(w io.Writer, c harness.Config, announced time.Duration, show *progress) func(harness.Progress) {
	said := c.Ops > 0 // no time was announced
	return func(p harness.Progress) {
		if !said && !p.Calibrating {
			said = true
			if p.Left > 2*announced {
				show.clear()
				exit.Say(w, fmt.Sprintf("calibrated: about %v", p.Left.Round(time.Second)))
			}
		}
		show.tell(p)
	}
}
