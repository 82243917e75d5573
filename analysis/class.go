package analysis

import (
	"cmp"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A class is the variants of one promise at one N, fastest first.
type class struct {
	promise results.Promise
	ranked  []runner
	shared  results.Promise // the words that all promises share
	leads   standing
}

// A runner is a variant with its trials at one N.
type runner struct {
	*series
	*cell
	shared []results.Trial // of the blocks that all have who are named with it,
	others bool            // but for those that share too few
	median float64         // of these, operations a second
}

// classes sorts what was measured at N by promise.
func classes(allSeries []*series, n int) []class {
	var all []class
	for _, g := range allSeries {
		l := g.cell(n)
		if l == nil {
			continue
		}
		at := slices.IndexFunc(all, func(c class) bool { return c.promise == g.variant.Promise })
		if at < 0 {
			at = len(all)
			all = append(all, class{promise: g.variant.Promise})
		}
		all[at].ranked = append(all[at].ranked, runner{series: g, cell: l})
	}
	for i := range all {
		inTheSameBlocks(all[i].ranked)
		slices.SortStableFunc(all[i].ranked, func(a, b runner) int { return cmp.Compare(b.median, a.median) })
		all[i].leads = all[i].stand()
	}
	return inOrder(all)
}

// inOrder puts the strongest promise first, and tells each what all share. Beside
// variants that state none every promise is named, and so is a crash that all survive:
// that file and leveldb survive one is half of what their rates mean.
func inOrder(all []class) []class {
	slices.SortStableFunc(all, func(a, b class) int { return results.StrongestFirst(a.promise, b.promise) })
	shared := common(all)
	if shared.Survives != "nothing" || slices.ContainsFunc(all, func(c class) bool { return !c.stated() }) {
		shared.Survives = ""
	}
	for i := range all {
		all[i].shared = shared
	}
	return all
}

// names are those of the variants.
func (c class) names() []string {
	var all []string
	for _, r := range c.ranked {
		all = append(all, r.variant.Name)
	}
	return all
}

// stated reports whether the variants say what they promise. Those that do not
// may promise different things, and are not ranked.
func (c class) stated() bool {
	return c.promise.Order != "" && c.promise.Result != "" && c.promise.Survives != ""
}

// common keeps the words that all stated promises share.
func common(all []class) (p results.Promise) {
	first := true
	for _, c := range all {
		if !c.stated() {
			continue
		}
		if first {
			p, first = c.promise, false
		}
		p.Order = equal(p.Order, c.promise.Order)
		p.Result = equal(p.Result, c.promise.Result)
		p.Survives = equal(p.Survives, c.promise.Survives)
	}
	return p
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

func seriesNames(all []runner) string {
	var allSeries []*series
	for _, r := range all {
		allSeries = append(allSeries, r.series)
	}
	return listOf(allSeries)
}
