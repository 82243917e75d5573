package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// mostAdvised is how many of those that lead one promise together are advised on.
const mostAdvised = 3

// advice says what follows: by how many goroutines each promise's leaders, or who
// does more at another level, should be used. It is empty where the trials support
// none. Nobody is advised to use what an error ended, at whatever levels, or what
// failed now and then, nor to use many goroutines with what loses more by them. The
// cells are those that it rests on.
func (s setting) advice(summaries []results.Summary, failed []results.Outcome) (text string, on []runner) {
	if s.experiment.Apart {
		return "", nil
	}
	var more gains
	var fewer []string
	all := s.trends(summaries)
	for _, c := range classes(s.allSeries, s.highest()) {
		leads := c.leads.tied[:min(len(c.leads.tied), mostAdvised)]
		if peak := s.peak(c, s.highest()); len(peak.on) > 0 {
			leads = peak.on
		}
		if !c.stated() && len(c.ranked) > 1 {
			continue
		}
		for _, t := range all {
			if !slices.ContainsFunc(leads, func(r runner) bool { return r.series == t.series }) || t.isOf(failed) {
				continue
			}
			r := t.reach()
			for _, l := range t.cells { // each is compared with each
				on = append(on, runner{series: t.series, cell: l})
			}
			switch {
			case r.gains && losesMore(t.at(r.n), t.cells[0].trials): // whether that is worth the loss is not ours to say
			case r.gains && r.n == s.highest():
				more = more.with(t.variant.Name, fmt.Sprintf("up to %d, the most measured", r.n))
			case r.gains && r.ends:
				more = more.with(t.variant.Name, fmt.Sprintf("up to %d", r.n))
			case r.gains:
				more = more.with(t.variant.Name, fmt.Sprintf("up to %d at least", r.n))
			case t.is == below && r.n == 1 && r.falls:
				fewer = append(fewer, t.variant.Name)
			}
		}
	}
	if len(more) > 0 {
		text = "use many goroutines with " + more.text()
	}
	if len(fewer) > 0 {
		text = joined(text, "one goroutine does at least as much as many with "+listed(fewer))
	}
	if text == "" {
		return "", nil
	}
	return capital(s.within()+text) + ".", on
}

// gains are up to where variants gain, those that do so alike together.
type gains []struct {
	reach    string
	variants []string
}

func (g gains) with(variant, reach string) gains {
	for i := range g {
		if g[i].reach == reach {
			g[i].variants = append(g[i].variants, variant)
			return g
		}
	}
	return append(g, struct {
		reach    string
		variants []string
	}{reach, []string{variant}})
}

func (g gains) text() string {
	var parts []string
	for _, alike := range g {
		verb := "gain"
		if len(alike.variants) == 1 {
			verb = "gains"
		}
		parts = append(parts, listed(alike.variants)+", which "+verb+" "+alike.reach)
	}
	return strings.Join(parts, "; with ")
}

// within says which levels the advice is of, where a factor is swept: at another one
// the opposite may be so.
func (s setting) within() string {
	if s.factors == "" {
		return ""
	}
	return fmt.Sprintf("with %s, from %d to %s: ", s.factors, s.lowest(), goroutines(s.highest()))
}

// isOf reports whether the variant is one of those that failed.
func (s *series) isOf(failed []results.Outcome) bool {
	return slices.ContainsFunc(failed, func(o results.Outcome) bool { return o.Variant == s.variant.Name })
}

// A reach is up to where a variant gains by more goroutines.
type reach struct {
	n     int
	gains bool // n are told to be faster than one
	ends  bool // more than n are told to gain no more
	falls bool // more than n are told to do no more at all
}

// gain is the least ratio of two levels of one variant that is told. Its code is
// the same at both, so its layout makes no difference.
const gain = 1.05

// reach takes the first level that gains and that none above is told to gain over;
// if none gains, the first that none is told to gain over. That any gains is told by the highest one, as the sentence on
// scaling has it, or by one that is no chance among so many.
func (s *series) reach() reach {
	var first *reach
	gains := s.gainsFromOne(s.cells[len(s.cells)-1]) || slices.ContainsFunc(s.cells[1:], s.surelyGains)
	for i, l := range s.cells {
		fewest := true
		r := reach{n: l.goroutines, gains: gains && i > 0 && s.gainsFromOne(l), ends: true, falls: true}
		for _, higher := range s.cells[i+1:] {
			ratio := s.times(higher, l)
			fewest = fewest && !(bounded(ratio) && ratio.Low > gain)
			r.ends = r.ends && bounded(ratio) && ratio.High <= gain
			r.falls = r.falls && bounded(ratio) && ratio.High <= 1
		}
		if fewest && r.gains {
			return r
		}
		if fewest && first == nil {
			first = &r
		}
	}
	return *first // the highest level is one
}

// gainsFromOne says of a level what the sentence on scaling would.
func (s *series) gainsFromOne(l *cell) bool {
	t := s.times(l, s.cells[0])
	return bounded(t) && against(interval(stats.Interval{Median: 100 * t.Median, Low: 100 * t.Low, High: 100 * t.High})) == above
}

// surelyGains is gainsFromOne where that is no chance among all levels (Bonferroni).
func (s *series) surelyGains(l *cell) bool {
	many, one := pairs(l.trials, s.cells[0].trials)
	both := samples{newer: each(many, keptPerS), older: each(one, keptPerS), paired: true}
	return s.gainsFromOne(l) && both.surely(len(s.cells)-1).Low > 1
}

// times is what a variant does at one N against what it does at another.
func (s *series) times(at, than *cell) stats.Interval {
	return paired(runner{series: s, cell: at}, runner{series: s, cell: than})
}
