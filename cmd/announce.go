package cmd

import (
	"fmt"
	"io"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// estimates are how long a run takes at least and at most: with the fewest trials that it may come to, and with all.
func estimates(c harness.Config, experiments []harness.Experiment) (least, most time.Duration, err error) {
	if most, err = harness.Estimate(c, experiments...); c.Pairs == nil || err != nil {
		return most, most, err
	}
	c.Budget = c.Budget * harness.LeastPairs / time.Duration(c.Trials)
	c.Trials = harness.LeastPairs
	least, err = harness.Estimate(c, experiments...)
	return least, most, err
}

// announce says what will be measured and how long it takes: as long as the least of it, or where nobody
// knows how many trials are needed, up to the most.
func announce(w io.Writer, experiments []harness.Experiment, c harness.Config, least, most time.Duration) {
	trials, takes := results.Count(c.Trials, "trial"), most.Round(time.Second).String()
	if c.Pairs != nil {
		trials = fmt.Sprintf("%d to %s", harness.LeastPairs, trials)
		takes = fmt.Sprintf("%v to %s", least.Round(time.Second), takes)
	}
	for _, e := range experiments {
		fmt.Fprintf(w, "syncwrite: %s: %s, %s of N, %s each\n", e.Name,
			results.Count(len(e.Variants), "variant"), results.Count(len(c.LevelsOf(e)), "level"), trials)
	}
	if c.Ops > 0 {
		fmt.Fprintf(w, "syncwrite: trials of %d operations take as long as they take; Ctrl-C keeps what is finished\n", c.Ops)
		return
	}
	fmt.Fprintf(w, "syncwrite: about %s; Ctrl-C keeps what is finished\n", takes)
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
