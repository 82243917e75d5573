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
	tied   []runner       // whom nobody was seen to be faster than
	beater *runner        // the fastest that is faster than next
	next   *runner        // the fastest that somebody is faster than
	ratio  stats.Interval // of beater to next
	few    []runner       // too few trials, or too few in blocks of the others
	idle   []runner       // finished no operation in half of the trials, or more
}

// stand compares everybody with everybody. That two cannot be told apart says
// nothing of a third, and the highest median can be of other blocks than the
// others': so those are ahead whom nobody was seen to be faster than.
func (c class) stand() standing {
	var s standing
	var ranked []runner
	for _, r := range c.ranked {
		switch {
		case !(r.median > 0):
			s.idle = append(s.idle, r)
		case len(r.trials) < minTrials:
			s.few = append(s.few, r)
		default:
			ranked = append(ranked, r)
		}
	}
	var alone []runner
	ranked, alone = apartFrom(ranked)
	s.few = append(s.few, alone...)
	for _, r := range ranked {
		beater, ratio := r.beaten(ranked)
		switch {
		case beater == nil:
			s.tied = append(s.tied, r)
		case s.next == nil:
			s.beater, s.next, s.ratio = beater, &r, ratio
		}
	}
	if len(s.tied) == 0 && len(ranked) > 0 { // in a ring, each in other blocks
		s.tied, s.next = ranked, nil
	}
	return s
}

// apartFrom splits those that have blocks in common with another from those that
// have none. One that is alone is compared with nobody.
func apartFrom(all []runner) (together, alone []runner) {
	for _, r := range all {
		if len(all) == 1 || comparable(r, all) {
			together = append(together, r)
		} else {
			alone = append(alone, r)
		}
	}
	return together, alone
}

// comparable reports whether the runner has enough trials in blocks of another.
func comparable(r runner, all []runner) bool {
	return slices.ContainsFunc(all, func(other runner) bool {
		return other.series != r.series && bounded(paired(other, r))
	})
}

// beaten returns the fastest that is told to be faster than the runner, and how
// much; nil if nobody is.
func (r runner) beaten(all []runner) (*runner, stats.Interval) {
	for _, other := range all {
		if other.series == r.series {
			continue
		}
		if ratio := paired(other, r); bounded(ratio) && ratio.Low > 1+max(other.margin, r.margin) {
			return &other, ratio
		}
	}
	return nil, stats.Interval{}
}

// paired is the ratio of two runners, block by block.
func paired(x, y runner) stats.Interval {
	xs, ys := pairs(x.trials, y.trials)
	return stats.PairedRatio(xs, ys, Confidence)
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
		text += ", while " + seriesNames(s.idle) + finishedNothing(s.idle...)
	}
	return text
}

// single speaks of a class of one.
func (c class) single(e results.Experiment) string {
	r := c.ranked[0]
	does := r.does(e)
	if !(r.median > 0) {
		does = r.variant.Name + finishedNothing(r)
	}
	switch {
	case c.alone:
		return does
	case !c.stated():
		return does + ", stating no promise"
	}
	return c.whoAlone() + does
}

// finishedNothing says what is so of the idle.
func finishedNothing(idle ...runner) string {
	for _, r := range idle {
		if slices.ContainsFunc(r.trials, func(t results.Trial) bool { return t.Ops > 0 }) {
			return " finished no operation in half of the trials or more"
		}
	}
	return " finished no operation"
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
		return seriesNames(s.idle) + finishedNothing(s.idle...)
	case len(s.tied) == 0 && len(s.few) == 1:
		return s.few[0].does(e)
	case len(s.tied) == 0:
		return "too few trials to rank " + seriesNames(s.few)
	case len(s.tied) > 1 && s.next != nil:
		return fmt.Sprintf("%s cannot be told apart (%s) and %s is %s",
			seriesNames(s.tied), s.tied[0].does(e), s.beater.variant.Name, s.times())
	case len(s.tied) > 1:
		return fmt.Sprintf("%s cannot be told apart (%s)", seriesNames(s.tied), s.tied[0].does(e))
	case s.next != nil && s.beater.series != s.tied[0].series:
		return s.tied[0].variant.Name + " leads with " + s.tied[0].rate(e) + "; " + s.beater.variant.Name + " is " + s.times()
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
