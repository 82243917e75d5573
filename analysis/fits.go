package analysis

import (
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/scaling"
)

// fits tell how each series of the closed loop scales; none where all have one level of N.
func fits(run *results.Run, f results.Finding, allSeries []*series) []results.Fit {
	var all []results.Fit
	for _, s := range allSeries {
		if len(s.cells) > 1 && !isOpen(s.cells[0].trials) {
			all = append(all, s.fit(run, f))
		}
	}
	return all
}

func (s *series) fit(run *results.Run, f results.Finding) results.Fit {
	none := results.NoInterval()
	most := s.cells[len(s.cells)-1]
	fit := results.Fit{
		Variant: s.variant.Name, Factors: s.factors, Most: most.goroutines,
		Lambda: none, Sigma: none, Kappa: none, PeakN: none, Peak: none, Efficiency: none,
	}
	if fit.Text = mixed(run.Envs, seriesOf(f, most.trials[0].Cell())); fit.Text != "" {
		return fit
	}
	for _, sum := range f.Summaries {
		if sum.Variant != fit.Variant || results.FactorKey(sum.Factors) != s.key {
			continue
		}
		if fit.Text = spoilt(f, sum); fit.Text != "" {
			return fit
		}
		if procs := processors(run, most.trials); sum.Goroutines == fit.Most && procs > 0 {
			fit.Efficiency = shareOf(sum.PercentSerial, max(1, min(float64(min(fit.Most, procs)), granted(run, most.trials))))
		}
	}
	sweep := s.sweep()
	if len(sweep.N) >= scaling.LeastLevels && len(sweep.X) < minTrials {
		fit.Text = "too few blocks have a trial at every N"
		return fit
	}
	law, err := scaling.FitUSL(sweep, Confidence)
	if err != nil {
		fit.Text = err.Error()
		return fit
	}
	fit.Lambda, fit.Sigma, fit.Kappa = estimate(law.LambdaIn), estimate(law.SigmaIn), estimate(law.KappaIn)
	fit.PeakN, fit.Peak, fit.Told = estimate(law.PeakN), estimate(law.PeakX), law.Follows
	fit.Text = lawText(law, fit.Most)
	return fit
}

func estimate(e scaling.Estimate) results.Interval {
	return results.Interval{Median: results.Number(e.Value), Low: results.Number(e.Low), High: results.Number(e.High)}
}

func shareOf(i results.Interval, whole float64) results.Interval {
	w := results.Number(whole)
	return results.Interval{Median: i.Median / w, Low: i.Low / w, High: i.High / w}
}

// sweep are the blocks in which the series has one trial at every N.
func (s *series) sweep() scaling.Sweep {
	var sweep scaling.Sweep
	for _, c := range s.cells {
		sweep.N = append(sweep.N, c.goroutines)
	}
	for _, first := range s.cells[0].trials {
		var row []float64
		for _, c := range s.cells {
			if xs, _ := pairs(c.trials, []results.Trial{first}); len(xs) == 1 {
				row = append(row, xs[0].OpsPerS())
			}
		}
		if len(row) == len(s.cells) {
			sweep.X = append(sweep.X, row)
		}
	}
	return sweep
}

// lawText says what the numbers of a law mean, up to the most that were measured.
func lawText(law *scaling.Fit, most int) string {
	if !law.Follows {
		return fmt.Sprintf("no law of contention and coherency describes it: at N = %d it does %.0f %% of what the nearest one says", law.Worst.N, 100*law.Worst.Ratio)
	}
	text := "contention " + part(law.SigmaIn) + ", coherency " + part(law.KappaIn) + ": "
	if math.IsNaN(law.PeakN.Value) {
		return text + law.NoPeak
	}
	n, x := estimate(law.PeakN), estimate(law.PeakX)
	peak := fmt.Sprintf("the peak is near N = %.0f (%.0f–%.0f), with %s/s (%s–%s)", n.Median, math.Floor(float64(n.Low)), math.Ceil(float64(n.High)), x.Median.Rate(), x.Low.Rate(), x.High.Rate())
	if n.High == 1 {
		peak = "one goroutine alone does most"
	}
	if !law.Falls {
		return fmt.Sprintf("%sby the law %s, but no fall is seen up to N = %d", text, peak, most)
	}
	return text + peak
}

// part writes a share of an operation with its interval; one that can be nothing by
// what it is at most.
func part(e scaling.Estimate) string {
	if e.Low == 0 {
		return "at most " + percentTwo(e.High)
	}
	return fmt.Sprintf("%s (%s–%s)", percentTwo(e.Value), percentTwo(e.Low), percentTwo(e.High))
}

// percentTwo writes a share in percent with two digits that count.
func percentTwo(share float64) string {
	digits := 1
	if share > 0 {
		digits = min(max(1-int(math.Floor(math.Log10(100*share))), 0), 4)
	}
	return fmt.Sprintf("%.*f %%", digits, 100*share)
}
