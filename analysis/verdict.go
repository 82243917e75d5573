package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Two variants whose ratio lies within the margin are not told apart, however
// narrow its interval: 5 %, or what 3 ns an operation make, since code layout
// alone moves a 10 ns operation by up to 30 %.
const (
	leastMargin = 0.05
	layoutNS    = 3.0
)

// judge answers the experiment's question as far as the trials allow.
func judge(e results.Experiment, groups []*series, f results.Finding) results.Verdict {
	if len(groups) == 0 {
		return results.Verdict{Sentence: "Inconclusive: no trial was finished."}
	}
	keys := factorKeys(groups)
	most := highest(groups)
	v := results.Verdict{Sentence: capital(rank(e, withKey(groups, keys[0]), most)) + "."}
	if fewest := lowest(groups); fewest != most {
		v.Details = append(v.Details, capital(rank(e, withKey(groups, keys[0]), fewest))+".")
	}
	for _, key := range keys[1:] {
		v.Details = append(v.Details, key+": "+rank(e, withKey(groups, key), most)+".")
	}
	if text := trend(withKey(groups, keys[0]), f.Summaries); text != "" {
		v.Details = append(v.Details, text)
	}
	v.Details = append(v.Details, asides(withKey(groups, keys[0]), f.Summaries, most)...)
	for _, o := range f.Outcomes {
		v.Details = append(v.Details, fmt.Sprintf("%s ended by an error at %s: %s", o.Variant, goroutines(o.Goroutines), o.Text))
	}
	return v
}

func factorKeys(groups []*series) []string {
	var keys []string
	for _, g := range groups {
		if !slices.Contains(keys, g.key) {
			keys = append(keys, g.key)
		}
	}
	return keys
}

func withKey(groups []*series, key string) []*series {
	return slices.DeleteFunc(slices.Clone(groups), func(g *series) bool { return g.key != key })
}

func highest(groups []*series) int {
	most := 0
	for _, g := range groups {
		most = max(most, g.levels[len(g.levels)-1].goroutines)
	}
	return most
}

func lowest(groups []*series) int {
	fewest := math.MaxInt
	for _, g := range groups {
		fewest = min(fewest, g.levels[0].goroutines)
	}
	return fewest
}

// rank says who is fastest at N goroutines, one promise after the other.
func rank(e results.Experiment, groups []*series, n int) string {
	classes := classes(groups, n)
	if len(classes) == 0 {
		return fmt.Sprintf("at %s nothing was measured", goroutines(n))
	}
	var parts []string
	for _, c := range classes {
		parts = append(parts, c.sentence(e, n))
	}
	return fmt.Sprintf("at %s, ", goroutines(n)) + strings.Join(parts, "; ")
}

// A class is the variants of one promise at one N, fastest first.
type class struct {
	promise results.Promise
	ranked  []*series
	alone   bool // the only promise of the experiment
	shared  results.Promise
}

// classes groups what was measured at N by promise, the weakest first.
func classes(groups []*series, n int) []class {
	var all []class
	for _, g := range groups {
		if g.at(n) == nil {
			continue
		}
		at := slices.IndexFunc(all, func(c class) bool { return c.promise == g.variant.Promise })
		if at < 0 {
			at = len(all)
			all = append(all, class{promise: g.variant.Promise})
		}
		all[at].ranked = append(all[at].ranked, g)
	}
	slices.SortStableFunc(all, func(a, b class) int { return b.promise.Strength() - a.promise.Strength() })
	for i := range all {
		all[i].alone = len(all) == 1
		all[i].shared = common(all)
		slices.SortStableFunc(all[i].ranked, func(a, b *series) int {
			if middle(a.at(n)) > middle(b.at(n)) {
				return -1
			}
			return 1
		})
	}
	return all
}

// common keeps the words that all promises share.
func common(all []class) results.Promise {
	p := all[0].promise
	for _, c := range all[1:] {
		if c.promise.Order != p.Order {
			p.Order = ""
		}
		if c.promise.Result != p.Result {
			p.Result = ""
		}
		if c.promise.Survives != p.Survives {
			p.Survives = ""
		}
	}
	return p
}

func middle(trials []results.Trial) float64 {
	return stats.Median(each(trials, results.Trial.OpsPerS))
}

// sentence says who leads the class, by how much, and who cannot be told from
// the leader.
func (c class) sentence(e results.Experiment, n int) string {
	leader := c.ranked[0]
	rate := results.Number(middle(leader.at(n))).Rate() + " " + plural(e) + "/s"
	if len(c.ranked) == 1 {
		return c.words() + leader.variant.Name + " does " + rate
	}
	tied, next, ratio := c.compare(n)
	if !bounded(ratio) {
		return c.words() + fmt.Sprintf("too few trials to rank %s (%s leads with %s)", names(c.ranked), leader.variant.Name, rate)
	}
	text := c.words() + leader.variant.Name + " leads with " + rate
	if len(tied) > 1 {
		text = c.words() + names(tied) + " cannot be told apart (" + rate + ")"
	}
	if next != nil {
		text += fmt.Sprintf(", %s (%s–%s) times %s", three(ratio.Median), three(ratio.Low), three(ratio.High), next.variant.Name)
	}
	return text
}

// compare finds the variants tied with the leader, and the fastest one that
// is not, with the leader's ratio to it. Without a pair of enough blocks the
// ratio is unbounded.
func (c class) compare(n int) (tied []*series, next *series, ratio stats.Interval) {
	leader := c.ranked[0].at(n)
	tied = c.ranked[:1:1]
	for _, other := range c.ranked[1:] {
		xs, ys := pairs(leader, other.at(n))
		r := stats.PairedRatio(xs, ys, Confidence)
		if !bounded(r) {
			return tied, nil, r
		}
		if r.Low <= 1+margin(leader, n) {
			tied = append(tied, other)
		} else if next == nil {
			next, ratio = other, r
		}
	}
	return tied, next, ratio
}

func bounded(i stats.Interval) bool {
	return !math.IsNaN(i.Low) && !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0)
}

// margin is the least ratio, less one, that is called a difference.
func margin(trials []results.Trial, n int) float64 {
	nsPerOp := 1e9 / middle(trials)
	return max(leastMargin, layoutNS/nsPerOp)
}

func three(x float64) string { return results.Number(x).Three() }
