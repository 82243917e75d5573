package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// judge answers the experiment's question as far as the trials allow: at the
// highest N, then at the lowest, then at the other levels of the factors.
func judge(e results.Experiment, groups []*series, f results.Finding) results.Verdict {
	v := results.Verdict{Sentence: "Inconclusive: no trial was finished.", Claims: claims(e, groups)}
	without := observed(f.Tallies)
	if len(groups) == 0 && len(without) > 0 {
		v.Sentence, without = without[0], without[1:]
	}
	for i, s := range settings(e, groups) {
		most, fewest := s.highest(), s.lowest()
		if text := s.rank(most) + "."; i == 0 {
			v.Sentence = text
		} else {
			v.Details = append(v.Details, text)
		}
		if i == 0 && fewest != most {
			v.Details = append(v.Details, s.rank(fewest)+".")
		}
		if absent := s.absent(most); len(absent) > 0 {
			v.Details = append(v.Details, fmt.Sprintf("Not measured %s: %s.", s.at(most), names(absent)))
		}
		if i == 0 {
			v.Details = append(v.Details, s.trend(f.Summaries)...)
			v.Details = append(v.Details, s.asides(f.Summaries)...)
		}
	}
	v.Details = append(v.Details, trades(e, groups)...)
	v.Details = append(v.Details, without...)
	if len(f.Limits) > 0 {
		v.Details = append(v.Details, bounds(f.Limits))
	}
	for _, o := range f.Errors() {
		v.Details = append(v.Details, ended(o))
	}
	return v
}

// bounds says what the machine allows, measured in the same run.
func bounds(limits []results.Bound) string {
	var parts []string
	for _, l := range limits {
		parts = append(parts, fmt.Sprintf("%s, %s/s", l.About, l.OpsPerS.Median.Rate()))
	}
	return "What this machine allows one goroutine, measured in the same run: " + strings.Join(parts, "; ") + "."
}

func ended(o results.Outcome) string {
	when := "before the first block"
	if o.Block > 0 {
		when = fmt.Sprintf("in block %d", o.Block)
	}
	where := goroutines(o.Goroutines)
	if key := results.FactorKey(o.Factors); key != "" {
		where += " with " + key
	}
	return fmt.Sprintf("%s ended by an error at %s, %s: %s", o.Variant, where, when, o.Text)
}

// A setting is the series of one combination of factor levels: only they are
// compared.
type setting struct {
	experiment results.Experiment
	groups     []*series
	factors    string // the swept ones with their levels, empty if there are none
}

// settings splits the series by factor levels, in the order of gather.
func settings(e results.Experiment, groups []*series) []setting {
	var all []setting
	var keys []string
	for _, g := range groups {
		at := slices.Index(keys, g.key)
		if at < 0 {
			at = len(keys)
			keys = append(keys, g.key)
			all = append(all, setting{experiment: e, factors: results.FactorKey(sweptOf(g, groups))})
		}
		all[at].groups = append(all[at].groups, g)
	}
	return all
}

// sweptOf keeps the factors of g that another series has at another level.
func sweptOf(g *series, groups []*series) map[string]string {
	swept := map[string]string{}
	for name, level := range g.factors {
		if slices.ContainsFunc(groups, func(o *series) bool { return o.factors[name] != level }) {
			swept[name] = level
		}
	}
	return swept
}

func (s setting) highest() int {
	most := 0
	for _, g := range s.groups {
		most = max(most, g.levels[len(g.levels)-1].goroutines)
	}
	return most
}

func (s setting) lowest() int {
	fewest := math.MaxInt
	for _, g := range s.groups {
		fewest = min(fewest, g.levels[0].goroutines)
	}
	return fewest
}

// absent are the series without a trial at N goroutines.
func (s setting) absent(n int) []*series {
	return slices.DeleteFunc(slices.Clone(s.groups), func(g *series) bool { return g.at(n) != nil })
}

// at names the cells: at 8 goroutines with payload=3.
func (s setting) at(n int) string {
	if s.factors == "" {
		return "at " + goroutines(n)
	}
	return "at " + goroutines(n) + " with " + s.factors
}

// rank says who is fastest at N goroutines, one promise after the other.
func (s setting) rank(n int) string {
	if s.experiment.Apart {
		return s.spread(n)
	}
	var parts []string
	for _, c := range classes(s.groups, n) {
		parts = append(parts, c.sentence(s.experiment))
	}
	return "A" + s.at(n)[1:] + ", " + strings.Join(parts, "; ")
}

// spread names the ends of what was measured at N goroutines, where every
// variant is an operation of its own and none is better than another.
func (s setting) spread(n int) string {
	var fastest, slowest *series
	for _, g := range s.groups {
		if g.at(n) == nil {
			continue
		}
		if fastest == nil || middle(g.at(n)) > middle(fastest.at(n)) {
			fastest = g
		}
		if slowest == nil || middle(g.at(n)) < middle(slowest.at(n)) {
			slowest = g
		}
	}
	if fastest == slowest {
		return fmt.Sprintf("A%s, %s", s.at(n)[1:], runner{fastest, fastest.level(n), middle(fastest.at(n))}.does(s.experiment))
	}
	rate := func(g *series) string {
		return fmt.Sprintf("%s (%s/s)", g.variant.Name, results.Number(middle(g.at(n))).Rate())
	}
	return fmt.Sprintf("A%s, from %s to %s; every variant is an operation of its own, so none is ranked", s.at(n)[1:], rate(slowest), rate(fastest))
}
