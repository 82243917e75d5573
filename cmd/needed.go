package cmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// mostTrials bounds what a threshold has taken: four times the usual time.
const mostTrials = 24

// mostPairs bounds the trials of each of two programs that take turns where a threshold is to be held. What
// scatters little has no more than it needs.
const mostPairs = 60

// enough takes the trials that --fail-above needs here, by the baseline's scatter, up to a bound, and
// as much more time; those of the flag where it was given, or nothing is known.
func (f runFlags) enough(config *harness.Config, older *results.Run) {
	p, err := f.compare.parse()
	if f.turns && f.adapts && err == nil && p.drop > 0 {
		config.Trials, config.Pairs = mostPairs, func(newer, older [][]float64) int { return analysis.PairsNeeded(newer, older, p.drop) }
		config.Budget = config.Budget * mostPairs / time.Duration(f.trials)
		return
	}
	if !f.adapts || err != nil || p.drop == 0 || older == nil || f.processes > 0 || config.Budget == 0 {
		return
	}
	for _, n := range analysis.Needs(older, p.drop) {
		if n.Trials <= mostTrials {
			config.Trials = max(config.Trials, n.Trials)
		}
	}
	config.Budget = config.Budget * time.Duration(config.Trials) / time.Duration(f.trials)
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
	text := fmt.Sprintf("--fail-above %.4g%%: by the scatter of the baseline, %s decide %d of %s in four runs of five", 100*p.drop, results.Count(trials, "trial"), decided, results.Count(len(needs), "variant"))
	if len(more) > 0 {
		text += fmt.Sprintf("; --trials %d would decide %s, too", most, results.FewNames(more))
	}
	if len(never) > 0 {
		text += "; the baseline has too few trials for " + results.FewNames(never)
	}
	exit.Say(w, strings.TrimSpace(text))
}
