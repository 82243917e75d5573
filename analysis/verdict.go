package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// judge answers the experiment's question as far as the trials allow: at the
// highest N, then at the lowest, then at the other levels of the factors.
func judge(e results.Experiment, allSeries []*series, f results.Finding) results.Verdict {
	open := slices.DeleteFunc(slices.Clone(allSeries), func(s *series) bool { return !isOpen(s.cells[0].trials) })
	if len(open) > 0 && len(open) == len(allSeries) {
		return judgeOpen(open, f)
	}
	allSeries = slices.DeleteFunc(slices.Clone(allSeries), func(s *series) bool { return isOpen(s.cells[0].trials) })
	v := results.Verdict{Claims: claims(e, allSeries)}
	without := observed(f.Tallies)
	all := settings(e, allSeries)
	switch {
	case len(all) > 0:
		v = all[0].verdict(f, v)
	case len(without) > 0:
		v.Sentence, without = without[0], without[1:]
	default:
		v.Sentence = "Inconclusive: no trial was finished."
	}
	for _, s := range all[min(1, len(all)):] {
		v.Details = append(v.Details, s.rank(s.highest(), f.Errors()))
	}
	v.Trades = trades(e, allSeries)
	v.Details = append(v.Details, without...)
	if len(open) > 0 {
		v.Details = append(v.Details, judgeOpen(open, f).Sentence)
		v.Details = append(v.Details, handovers(ladders(open, f.Summaries))...)
	}
	if len(f.Limits) > 0 {
		v.Limits = bounds(f.Limits)
	}
	for _, o := range f.Errors() {
		v.Details = append(v.Details, ended(o))
	}
	return v
}

// verdict is what the levels of factors that come first have to say.
func (s setting) verdict(f results.Finding, v results.Verdict) results.Verdict {
	most, fewest := s.highest(), s.lowest()
	v.At = s.at(most)
	v.Lines = s.lines(most, f.Errors())
	v.Sentence = inOne(v.At, v.Lines)
	v.Scaling = s.scaling(f.Summaries, f.Explained)
	advice, on := s.advice(f.Summaries, f.Errors())
	v.Advice = advice
	for _, t := range s.trends(f.Summaries) {
		on = append(on, runner{series: t.series, cell: t.cells[0]}, runner{series: t.series, cell: t.cell(most)})
	}
	v.Cells = s.cells(on)
	if fewest != most {
		v.Details = append(v.Details, s.rank(fewest, nil))
	}
	if s.experiment.Apart { // else its line says so
		all := func(results.Promise) bool { return true }
		if text := s.without(most, s.failures(f.Errors()), all); text != "" {
			v.Details = append(v.Details, "Left out: "+text+".")
		}
	}
	v.Details = append(v.Details, s.asides(f.Summaries)...)
	return v
}

// rank says in one sentence who leads at N goroutines.
func (s setting) rank(n int, failed []results.Outcome) string {
	return inOne(s.at(n), s.lines(n, failed))
}

// bounds says what the machine allows, measured in the same run.
func bounds(limits []results.Bound) string {
	var parts []string
	for _, l := range limits {
		parts = append(parts, fmt.Sprintf("%s/s with %s", l.OpsPerS.Median.Rate(), l.About))
	}
	return "For comparison, one goroutine alone does " + strings.Join(parts, "; ") + "."
}

func ended(o results.Outcome) string {
	when := "before the first block"
	if o.Block > 0 {
		when = fmt.Sprintf("in block %d", o.Block)
	}
	if o.Kind == results.OutcomeFailed {
		when = "first " + when
	}
	where := goroutines(o.Goroutines)
	if key := results.FactorKey(o.Factors); key != "" {
		where += " with " + key
	}
	return fmt.Sprintf("%s %s at %s, %s: %s", o.Variant, o.Words(), where, when, o.Text)
}

// A setting is the series of one combination of factor levels: only they are
// compared.
type setting struct {
	experiment results.Experiment
	allSeries  []*series
	key        string // factors with their levels
	factors    string // those of them that are swept, empty if there are none
	scaled     bool   // a line on scaling is told of it: of the first alone
}

// settings splits the series by factor levels, in the order of gather.
func settings(e results.Experiment, allSeries []*series) []setting {
	var all []setting
	var keys []string
	for _, g := range allSeries {
		at := slices.Index(keys, g.key)
		if at < 0 {
			at = len(keys)
			keys = append(keys, g.key)
			all = append(all, setting{experiment: e, key: g.key, factors: results.FactorKey(sweptOf(g, allSeries)), scaled: at == 0})
		}
		all[at].allSeries = append(all[at].allSeries, g)
	}
	return all
}

// sweptOf keeps the factors of g that another series has at another level.
func sweptOf(g *series, allSeries []*series) map[string]string {
	swept := map[string]string{}
	for name, level := range g.factors {
		if slices.ContainsFunc(allSeries, func(o *series) bool { return o.factors[name] != level }) {
			swept[name] = level
		}
	}
	return swept
}

func (s setting) highest() int {
	most := 0
	for _, g := range s.allSeries {
		most = max(most, g.cells[len(g.cells)-1].goroutines)
	}
	return most
}

func (s setting) lowest() int {
	fewest := math.MaxInt
	for _, g := range s.allSeries {
		fewest = min(fewest, g.cells[0].goroutines)
	}
	return fewest
}

// at names the cells: at 8 goroutines with payload=3.
func (s setting) at(n int) string {
	if s.factors == "" {
		return "at " + goroutines(n)
	}
	return "at " + goroutines(n) + " with " + s.factors
}

// byRate names who was measured at N goroutines, the fastest first.
func (s setting) byRate(n int) []string {
	var all []string
	for _, r := range s.measured(n) {
		all = append(all, r.variant.Name)
	}
	return all
}

func (s setting) measured(n int) []runner {
	var all []runner
	for _, g := range s.allSeries {
		if l := g.cell(n); l != nil {
			all = append(all, runner{series: g, cell: l})
		}
	}
	inTheSameBlocks(all)
	slices.SortStableFunc(all, func(a, b runner) int { return cmp.Compare(b.median, a.median) })
	return all
}

// spread names the ends of what was measured at N goroutines, where every
// variant is an operation of its own and none is better than another.
func (s setting) spread(n int) string {
	ends := s.ends(n)
	fastest, slowest := ends[0], ends[1]
	if fastest.series == slowest.series {
		return fastest.does(s.experiment)
	}
	rate := func(r runner) string {
		return fmt.Sprintf("%s (%s%s/s%s)", r.variant.Name, r.atLeast(), results.Number(r.median).Rate(), r.inBlocks())
	}
	return fmt.Sprintf("from %s to %s; every variant is an operation of its own, so none is ranked", rate(slowest), rate(fastest))
}

// ends are the fastest and the slowest at N goroutines.
func (s setting) ends(n int) []runner {
	all := s.measured(n)
	return []runner{all[0], all[len(all)-1]}
}
