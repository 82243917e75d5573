package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

// mostTrials bounds what a threshold has taken: four times the usual time.
const mostTrials = 24

// needed are the trials that --fail-above needs here, by the baseline's scatter, up to a bound;
// those of the flag where it was given, or nothing is known.
func (f runFlags) needed() int {
	p, err := f.compare.parse()
	if !f.adapts || err != nil || p.drop == 0 || f.baseline == "" || f.processes > 0 {
		return f.trials
	}
	older, err := readResults(f.baseline)
	if err != nil || older.OfBench() {
		return f.trials // it is told when the baseline is read in earnest
	}
	trials := f.trials
	for _, n := range analysis.Needs(older, p.drop) {
		if n.Trials <= mostTrials {
			trials = max(trials, n.Trials)
		}
	}
	return trials
}

// sayNeeds says beforehand what so many trials can decide.
func (f runFlags) sayNeeds(w io.Writer, older *results.Run, trials int) {
	p, err := f.compare.parse()
	if err != nil || p.drop == 0 || older == nil {
		return
	}
	needs := analysis.Needs(older, p.drop)
	decided, most := 0, 0
	var more, never []string
	for _, n := range needs {
		switch {
		case n.Trials == 0:
			never = append(never, n.Variant)
		case n.Trials > trials:
			more, most = append(more, n.Variant), max(most, n.Trials)
		default:
			decided++
		}
	}
	if len(needs) == 0 {
		return
	}
	text := fmt.Sprintf("--fail-above %s: by the scatter of the baseline, %s decide %d of %s in four runs of five", f.compare.failAbove, results.Count(trials, "trial"), decided, results.Count(len(needs), "variant"))
	if len(more) > 0 {
		text += fmt.Sprintf("; --trials %d would decide %s, too", most, results.FewNames(more))
	}
	if len(never) > 0 {
		text += "; the baseline has too few trials for " + results.FewNames(never)
	}
	exit.Say(w, strings.TrimSpace(text))
}
