package analysis

import (
	"cmp"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Analyze summarises every experiment of a run.
func Analyze(run *results.Run) *results.Report {
	report := &results.Report{Envs: run.Envs, Ends: run.Ends, Problems: run.Problems, Warnings: runWarnings(run)}
	for _, e := range experiments(run) {
		report.Findings = append(report.Findings, find(run, e))
	}
	return report
}

// experiments lists what the run describes, and what it has trials or outcomes
// of without a description.
func experiments(run *results.Run) []results.Experiment {
	all := slices.Clone(run.Experiments)
	add := func(name string) {
		if !slices.ContainsFunc(all, func(e results.Experiment) bool { return e.Name == name }) {
			all = append(all, results.Experiment{Name: name})
		}
	}
	for _, t := range run.Trials {
		add(t.Experiment)
	}
	for _, o := range run.Outcomes {
		add(o.Experiment)
	}
	return all
}

func find(run *results.Run, e results.Experiment) results.Finding {
	f := results.Finding{Experiment: e}
	for _, t := range run.Trials {
		if t.Experiment == e.Name {
			f.Trials = append(f.Trials, t)
		}
	}
	for _, o := range run.Outcomes {
		if o.Experiment == e.Name {
			f.Outcomes = append(f.Outcomes, o)
		}
	}
	f.Explained = explained(run, f)
	e.Unit = unit(e, f.Trials)
	f.Experiment.Unit = e.Unit
	allSeries := gather(run, e, f.Trials)
	for _, g := range allSeries {
		f.Summaries = append(f.Summaries, g.summaries(run, f.Errors())...)
	}
	f.Tallies = tallies(e, f.Outcomes)
	f.Limits = limits(run, e)
	f.Verdict = judge(e, allSeries, f)
	f.Verdict.Scaled = speedups(run, e, allSeries)
	f.Fits, f.Crossovers = fits(run, f, allSeries), crossovers(e, allSeries)
	return f
}

// A series is the trials of one variant at one combination of factor levels,
// by goroutines.
type series struct {
	variant results.Variant
	key     string // factors
	factors map[string]string
	cells   []*cell
}

// A cell is the trials at one N, in the order of their blocks.
type cell struct {
	goroutines int
	trials     []results.Trial
	margin     float64 // the least difference to it that is told
}

// gather sorts trials into series: factors first, then variants as the
// experiment lists them.
func gather(run *results.Run, e results.Experiment, trials []results.Trial) []*series {
	var all []*series
	for _, t := range trials {
		key := results.FactorKey(t.Factors)
		at := slices.IndexFunc(all, func(s *series) bool { return s.variant.Name == t.Variant && s.key == key })
		if at < 0 {
			at = len(all)
			all = append(all, &series{variant: e.Variant(t.Variant), key: key, factors: t.Factors})
		}
		all[at].add(t)
	}
	place := func(s *series) int {
		return slices.IndexFunc(e.Variants, func(v results.Variant) bool { return v.Name == s.variant.Name })
	}
	slices.SortStableFunc(all, func(a, b *series) int {
		if isOpen(a.cells[0].trials) && isOpen(b.cells[0].trials) {
			return cmp.Or(place(a)-place(b), cmp.Compare(a.variant.Name, b.variant.Name), cmp.Compare(dueRate(a), dueRate(b)), naturally(a.key, b.key))
		}
		return cmp.Or(naturally(a.key, b.key), cmp.Compare(place(a), place(b)), cmp.Compare(a.variant.Name, b.variant.Name))
	})
	for _, s := range all {
		slices.SortFunc(s.cells, func(a, b *cell) int { return a.goroutines - b.goroutines })
		for _, l := range s.cells {
			l.margin = margin(run, l.trials)
		}
	}
	return all
}

func (s *series) add(t results.Trial) {
	at := slices.IndexFunc(s.cells, func(l *cell) bool { return l.goroutines == t.Goroutines })
	if at < 0 {
		at = len(s.cells)
		s.cells = append(s.cells, &cell{goroutines: t.Goroutines})
	}
	s.cells[at].trials = append(s.cells[at].trials, t)
}

// at returns the trials at N goroutines; nil if there are none.
func (s *series) at(n int) []results.Trial {
	if l := s.cell(n); l != nil {
		return l.trials
	}
	return nil
}

// cell finds the cell at N goroutines; nil if there is none.
func (s *series) cell(n int) *cell {
	for _, l := range s.cells {
		if l.goroutines == n {
			return l
		}
	}
	return nil
}

// pairs returns the trials of two cells, block by block. A block that one
// of them lacks is left out, and so is one that says of neither which of several
// trials belong together. Where a trial's block is not known there are none.
func pairs(x, y []results.Trial) (xs, ys []results.Trial) {
	if warned(x, results.WarnKept)+warned(y, results.WarnKept) > 0 {
		return nil, nil
	}
	type block struct{ env, block int }
	of, times := map[block]results.Trial{}, map[block]int{}
	for _, t := range y {
		of[block{t.Env, t.Block}] = t
		times[block{t.Env, t.Block}]++
	}
	other := map[block]int{}
	for _, t := range x {
		other[block{t.Env, t.Block}]++
	}
	for _, t := range x {
		at := block{t.Env, t.Block}
		if times[at] == 1 && other[at] == 1 {
			xs = append(xs, t)
			ys = append(ys, of[at])
		}
	}
	return xs, ys
}

// limits are the throughputs, at N = 1 in this run, of what bounds the
// experiment. One that was not measured is left out.
func limits(run *results.Run, e results.Experiment) []results.Bound {
	var all []results.Bound
	for _, l := range e.Limits {
		var rates []float64
		for _, t := range run.Trials {
			if t.Experiment == l.Experiment && t.Variant == l.Variant && t.Goroutines == 1 {
				rates = append(rates, t.OpsPerS())
			}
		}
		if len(rates) > 0 {
			all = append(all, results.Bound{Limit: l, OpsPerS: interval(stats.MedianInterval(rates, Confidence))})
		}
	}
	return all
}
