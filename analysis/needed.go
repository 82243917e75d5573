package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A Need is how many trials a cell of another run takes for a threshold on one variant to be
// decided.
type Need struct {
	Variant string // log/file
	Trials  int    // 0: none are enough beside so few of this run
}

// Needs tells, by how the blocks of a run scatter, how many trials of another run take a
// drop beyond the given share to be ruled out in four runs of five that are no slower: the
// interval of the ratio of geometric means ([stats.ErrorThatDecides]). What differs between processes is
// in it if the blocks were measured in several. Variants in which most cells cannot be compared
// have none.
func Needs(run *results.Run, drop float64) []Need {
	var all []Need
	for _, group := range variantsOf(cellsOfBoth(run, run, "", "")) {
		blocks, _ := scores(group, func(c compared) side { return c.newer })
		if len(blocks) < leastSide {
			continue
		}
		c := group[0].newer.trials[0].Cell()
		all = append(all, Need{Variant: c.Experiment + "/" + c.Variant, Trials: trialsFor(blocks, drop, group[0].loose())})
	}
	slices.SortFunc(all, func(a, b Need) int { return cmp.Or(cmp.Compare(a.many(), b.many()), cmp.Compare(a.Variant, b.Variant)) })
	return all
}

// many is the trials; those of which none are enough come last.
func (n Need) many() int {
	if n.Trials == 0 {
		return math.MaxInt
	}
	return n.Trials
}

// trialsFor is how many blocks beside these decide a drop, where intervals are so many times as wide as those of
// independent ones.
func trialsFor(blocks []float64, drop, loose float64) int {
	var logs []float64
	for _, x := range blocks {
		logs = append(logs, math.Log(x))
	}
	variance := stats.Variance(logs) * loose * loose
	room := stats.ErrorThatDecides(drop, 0.8, math.Inf(1))
	left := room*room - variance/float64(len(blocks))
	if left <= 0 {
		return 0
	}
	return max(minTrials, int(math.Ceil(variance/left)))
}

// PairsNeeded is how many pairs of trials of two programs that take turns tell a drop in the rate of a
// variant from none in 19 comparisons of 20, by how its pairs so far scatter: the rates are those of its cells, block
// by block. What may not be known, of rates of zero, is more than any.
func PairsNeeded(newer, older [][]float64, drop float64) int {
	logs := make([]float64, len(newer[0]))
	for i, rates := range newer {
		for j, rate := range rates {
			logs[j] += math.Log(rate/older[i][j]) / float64(len(newer))
		}
	}
	of := stats.ErrorThatDecides(drop, 0.95, float64(len(logs)-1))
	if need := stats.Variance(logs) / (of * of); need < math.MaxInt32 {
		return int(math.Ceil(need))
	}
	return math.MaxInt32
}
