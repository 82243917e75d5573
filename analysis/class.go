package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A class is the variants of one promise at one N, fastest first.
type class struct {
	promise results.Promise
	ranked  []runner
	alone   bool            // the only stated promise at this N
	shared  results.Promise // the words that all promises share
}

// A runner is a variant with its trials at one N.
type runner struct {
	*series
	*level
	median float64 // operations a second
}

// classes groups what was measured at N by promise, the weakest first.
func classes(groups []*series, n int) []class {
	var all []class
	for _, g := range groups {
		l := g.level(n)
		if l == nil {
			continue
		}
		at := slices.IndexFunc(all, func(c class) bool { return c.promise == g.variant.Promise })
		if at < 0 {
			at = len(all)
			all = append(all, class{promise: g.variant.Promise})
		}
		all[at].ranked = append(all[at].ranked, runner{g, l, middle(l.trials)})
	}
	slices.SortStableFunc(all, func(a, b class) int { return a.promise.Strength() - b.promise.Strength() })
	shared, stated := common(all)
	for i := range all {
		all[i].shared = shared
		all[i].alone = len(all) == 1 || stated == 1 && all[i].stated()
		slices.SortStableFunc(all[i].ranked, func(a, b runner) int { return cmp.Compare(b.median, a.median) })
	}
	return all
}

// stated reports whether the variants say what they promise. Those that do not
// may promise different things, and are not ranked.
func (c class) stated() bool {
	return c.promise.Order != "" && c.promise.Result != "" && c.promise.Survives != ""
}

// common keeps the words that all stated promises share, and counts these.
func common(all []class) (p results.Promise, stated int) {
	for _, c := range all {
		if !c.stated() {
			continue
		}
		if stated++; stated == 1 {
			p = c.promise
		}
		p.Order = equal(p.Order, c.promise.Order)
		p.Result = equal(p.Result, c.promise.Result)
		p.Survives = equal(p.Survives, c.promise.Survives)
	}
	return p, stated
}

func equal(a, b string) string {
	if a != b {
		return ""
	}
	return a
}

func middle(trials []results.Trial) float64 {
	return stats.Median(each(trials, results.Trial.OpsPerS))
}

// A standing is what the trials allow to say of a class.
type standing struct {
	tied  []runner       // the leader, and who cannot be told from it
	next  *runner        // the fastest who can
	ratio stats.Interval // of the leader to the next
	few   []runner       // too few trials, or too few in blocks of the leader
	idle  []runner       // finished no operation in half of the trials
}

// stand compares everybody with the leader: the fastest of those with enough
// trials to carry an interval.
func (c class) stand() standing {
	var s standing
	for _, r := range c.ranked {
		switch {
		case !(r.median > 0):
			s.idle = append(s.idle, r)
		case len(r.trials) < minTrials:
			s.few = append(s.few, r)
		case len(s.tied) == 0:
			s.tied = []runner{r}
		default:
			s.compare(r)
		}
	}
	return s
}

func (s *standing) compare(r runner) {
	leader := s.tied[0]
	xs, ys := pairs(leader.trials, r.trials)
	ratio := stats.PairedRatio(xs, ys, Confidence)
	switch {
	case !bounded(ratio):
		s.few = append(s.few, r)
	case ratio.Low <= 1+leader.margin:
		s.tied = append(s.tied, r)
	case s.next == nil:
		s.next, s.ratio = &r, ratio
	}
}

// sentence says who leads the class, by how much, and who cannot be told from
// the leader.
func (c class) sentence(e results.Experiment) string {
	if len(c.ranked) == 1 {
		return c.single(e)
	}
	if !c.stated() {
		return seriesNames(c.ranked) + " state no promise and are not ranked"
	}
	s := c.stand()
	text := c.who() + s.lead(e)
	if len(s.few) > 0 && len(s.tied) > 0 {
		text += ", with too few trials in common to place " + seriesNames(s.few)
	}
	if len(s.idle) > 0 && len(s.idle) < len(c.ranked) {
		text += ", while " + seriesNames(s.idle) + " finished no operation"
	}
	return text
}

// single speaks of a class of one.
func (c class) single(e results.Experiment) string {
	r := c.ranked[0]
	does := r.does(e)
	if !(r.median > 0) {
		does = r.variant.Name + " finished no operation"
	}
	switch {
	case c.alone:
		return does
	case !c.stated():
		return does + ", stating no promise"
	}
	return c.whoAlone() + does
}

func (r runner) does(e results.Experiment) string {
	return r.variant.Name + " does " + r.rate(e) + r.losses()
}

// losses is what of that rate was without effect; empty where nothing may be.
func (r runner) losses() string {
	lost := lostShare(r.trials)
	switch {
	case lost == nil:
		return ""
	case !lost.Bounded() || lost.Low.Share() == lost.High.Share():
		return ", of which " + lost.Median.Share() + " were lost"
	}
	return fmt.Sprintf(", of which %s (%s to %s) were lost", lost.Median.Share(), lost.Low.Share(), lost.High.Share())
}

func (r runner) rate(e results.Experiment) string {
	return results.Number(r.median).Rate() + " " + plural(e) + "/s"
}

func (s standing) lead(e results.Experiment) string {
	switch {
	case len(s.tied) == 0 && len(s.few) == 0:
		return seriesNames(s.idle) + " finished no operation"
	case len(s.tied) == 0 && len(s.few) == 1:
		return s.few[0].does(e)
	case len(s.tied) == 0:
		return "too few trials to rank " + seriesNames(s.few)
	case len(s.tied) > 1 && s.next != nil:
		return fmt.Sprintf("%s cannot be told apart (%s) and %s is %s",
			seriesNames(s.tied), s.tied[0].does(e), s.tied[0].variant.Name, s.times())
	case len(s.tied) > 1:
		return fmt.Sprintf("%s cannot be told apart (%s)", seriesNames(s.tied), s.tied[0].does(e))
	case s.next != nil:
		return s.tied[0].variant.Name + " leads with " + s.tied[0].rate(e) + ", " + s.times()
	}
	return s.tied[0].does(e)
}

// times says how much faster the leader is than the next.
func (s standing) times() string {
	return fmt.Sprintf("%s (%s–%s) times as fast as %s",
		three(s.ratio.Median), three(s.ratio.Low), three(s.ratio.High), s.next.variant.Name)
}

func bounded(i stats.Interval) bool {
	return results.Number(i.Low).Known() && results.Number(i.High).Known()
}

func three(x float64) string { return results.Number(x).Three() }

func seriesNames(all []runner) string {
	var groups []*series
	for _, r := range all {
		groups = append(groups, r.series)
	}
	return names(groups)
}
