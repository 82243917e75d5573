package analysis

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// asides are what else the highest N shows: acceptance that runs ahead of the
// work, and what a naive reading would have said.
func (s setting) asides(summaries []results.Summary) []string {
	var all []string
	n, naive, factor := s.highest(), "", 2.0
	for _, g := range s.allSeries {
		sum, ok := summaryOf(summaries, g, n)
		if !ok {
			continue
		}
		if sum.AcceptedPerS.Median.Known() {
			if finished := float64(sum.OpsPerS.Median); float64(sum.AcceptedPerS.Median) <= finished*(1+g.cell(n).margin) {
				continue // it does not run ahead
			}
			all = append(all, fmt.Sprintf("%s accepted %s/s %s and finished %s/s; the finished rate is the one shown.",
				sum.Variant, sum.AcceptedPerS.Median.Rate(), s.at(n), sum.OpsPerS.Median.Rate()))
			continue
		}
		if times := sum.OpsPerS.Median / sum.Naive; times.Known() && float64(times) > factor {
			factor = float64(times)
			naive = fmt.Sprintf("Adding up the clients' latencies, as is often done, would have claimed %s/s for %s %s, %s times too little.",
				sum.Naive.Rate(), sum.Variant, s.at(n), times.Three())
		}
	}
	if naive != "" {
		all = append(all, naive)
	}
	if text := s.widenings(n); text != "" {
		all = append(all, text)
	}
	if text := s.again(); text != "" {
		all = append(all, text)
	}
	return all
}

// again counts the trials that stand for a window that others disturbed.
func (s setting) again() string {
	instead, as, of := 0, 0, 0
	for _, g := range s.allSeries {
		for _, l := range g.cells {
			for _, t := range l.trials {
				if of++; t.InsteadOf != nil {
					instead++
					if hasWarning(t, results.WarnDisturbed) {
						as++
					}
				}
			}
		}
	}
	if instead == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %s took the place of one in which other processes or the hypervisor took much of the processors, whatever its rate was; that is kept with it in the results", instead, results.Count(of, "trial"))
	if as > 0 {
		text += fmt.Sprintf("; %d of them were disturbed as well", as)
	}
	return text + "."
}

// widenings says of the ratios that were widened at N goroutines what the trials had
// themselves; empty if there are none, or if nobody is ranked.
func (s setting) widenings(n int) string {
	if s.experiment.Apart {
		return ""
	}
	var parts []string
	for _, c := range classes(s.allSeries, n) {
		for _, p := range c.leads.compared() {
			if of, to := p[0], p[1]; widened(of, to) {
				ratio := measuredRatio(pairs(of.trials, to.trials))
				parts = append(parts, fmt.Sprintf("%s ÷ %s %s (%s–%s)", of.variant.Name, to.variant.Name, three(ratio.Median), three(ratio.Low), three(ratio.High)))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Widened is what equal numbers of operations could have made of a ratio, where what one takes changes within a trial, or the end of a trial takes part of it. The trials themselves had " + listed(parts) + "; --ops gives each variant as many."
}
