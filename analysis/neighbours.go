package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

const (
	// neighboursP is what the blocks of a run are held to: one run in 200 whose order says nothing is
	// called. Six blocks have 2 in 720 where all they can tell is told.
	neighboursP = 0.005
	noOrder     = 0.05  // from here on nothing is left of an order
	scatters    = 0.005 // as a standard deviation: what lies closer together needs no doubt
	fewBlocks   = 8     // from here on an order has to show without the first block, and without the last, too
)

// neighbouring says of each part of a run whether its blocks tell more of those beside them than of
// others: the rates drift, or trials are autocorrelated. Intervals take them for independent.
func neighbouring(run *results.Run) (all []results.Warning) {
	for env := range run.Envs {
		if o := orderOf(run, env); o.text != "" {
			all = append(all, results.Warning{Code: results.WarnInOrder, Text: o.text + "; intervals take trials for independent, and are narrower than what another run would have"})
		}
	}
	return all
}

// looseness is by how much farther from a run's rates those of another run may lie than its trials, taken for
// independent, have it; 1 where their order tells nothing. Where neighbours correlate by ρ the variance of a mean is (1 + ρ) ÷ (1 - ρ)
// times as large, and von Neumann's ratio, of what neighbours differ by to what any two do, is 1 - ρ.
func looseness(run *results.Run) float64 {
	most := 1.0
	for env := range run.Envs {
		if o := orderOf(run, env); o.text != "" {
			apart := max(o.share*o.share, leastApart)
			most = max(most, math.Sqrt(max(2-apart, 1)/apart))
		}
	}
	return most
}

// leastApart is the smallest of von Neumann's ratios that so few blocks tell.
const leastApart = 0.02

// A sequence is what that of a run's blocks tells, in words, and the share of what any two blocks differ by that
// neighbours do.
type sequence struct {
	text  string // empty: nothing
	share float64
}

func orderOf(run *results.Run, env int) sequence {
	spans := spansOf(run, env)
	for _, blocks := range spans {
		if o := toldByOrder(rowsOf(run, env, blocks), neighboursP/float64(len(spans))); o.text != "" {
			return o
		}
	}
	return sequence{}
}

// toldByOrder is what the order tells, if the chance that it tells nothing is no larger.
func toldByOrder(rows [][]float64, chance float64) sequence {
	found := stats.AlikeNeighbours(rows)
	if !(found.P <= chance) || byOneBlock(rows, chance) {
		return sequence{}
	}
	text := drift(rows, chance)
	if text == "" {
		text = fmt.Sprintf("autocorrelated, or each cell drifts its own way: trials of neighbouring blocks differ by %.0f %% of what any two do", 100*found.Share)
	}
	return sequence{text, found.Share}
}

// spansOf are how many blocks are looked at, from the first one: those that all cells have, those that half of
// them have, and all of them. What needed few trials, or was not reached in the last block, has no others.
func spansOf(run *results.Run, env int) []int {
	trials := map[results.Cell]int{}
	for _, t := range run.Trials {
		if ordered(t, env) {
			trials[t.Cell()]++
		}
	}
	var counts []int
	for _, n := range trials {
		if n >= minTrials {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	slices.Sort(counts)
	return slices.Compact([]int{counts[0], counts[len(counts)/2], counts[len(counts)-1]})
}

// ordered reports whether a trial has a place among those of a part of a run, and a rate of its own.
func ordered(t results.Trial, env int) bool {
	return t.Env == env && t.Open == nil && !hasWarning(t, results.WarnKept)
}

// rowsOf are the logarithms of the rates of each cell in the first blocks of a part of a run, of those
// cells that have a rate in each.
func rowsOf(run *results.Run, env, blocks int) (rows [][]float64) {
	cells := map[results.Cell][]results.Trial{}
	var order []results.Cell
	for _, t := range run.Trials {
		if !ordered(t, env) || t.Block > blocks {
			continue
		}
		if cells[t.Cell()] == nil {
			order = append(order, t.Cell())
		}
		cells[t.Cell()] = append(cells[t.Cell()], t)
	}
	for _, cell := range order {
		if row := logRates(inTurn(cells[cell])); len(row) == blocks && math.Sqrt(stats.Variance(row)) >= scatters {
			rows = append(rows, row)
		}
	}
	return rows
}

// logRates are the logarithms of the trials' rates; nil where one has none.
func logRates(trials []results.Trial) (row []float64) {
	for _, t := range trials {
		rate := t.OpsPerS()
		if !(rate > 0) || math.IsInf(rate, 0) {
			return nil
		}
		row = append(row, math.Log(rate))
	}
	return row
}

// byOneBlock reports that the first block or the last one makes the order alone: it has one
// neighbour, and where it is unlike all others these are alike.
func byOneBlock(rows [][]float64, chance float64) bool {
	n := len(rows[0])
	if n < fewBlocks {
		return false
	}
	part := func(from, to int) float64 {
		var some [][]float64
		for _, row := range rows {
			some = append(some, row[from:to])
		}
		return stats.AlikeNeighbours(some).P
	}
	return !(part(1, n) <= chance) || !(part(0, n-1) <= chance)
}

// withoutLines are rows less the straight line that is nearest to each: what drifts evenly has no
// order then, what is autocorrelated has one still.
func withoutLines(rows [][]float64) (left [][]float64) {
	for _, row := range rows {
		middle, mean, slope, squares := float64(len(row)-1)/2, stats.Mean(row), 0.0, 0.0
		for i, x := range row {
			slope += (float64(i) - middle) * (x - mean)
			squares += (float64(i) - middle) * (float64(i) - middle)
		}
		var rest []float64
		for i, x := range row {
			rest = append(rest, x-mean-slope/squares*(float64(i)-middle))
		}
		left = append(left, rest)
	}
	return left
}

// drift says by how much all rates drift together; empty where they do not, or not evenly: a few
// blocks of what is autocorrelated look like a drift of each cell's own.
func drift(rows [][]float64, chance float64) string {
	scores := make([]float64, len(rows[0]))
	for _, row := range rows {
		for i, x := range row {
			scores[i] += (x - stats.Mean(row)) / float64(len(rows))
		}
	}
	if !(stats.TrendP(scores) <= chance) || stats.AlikeNeighbours(withoutLines(rows)).P < noOrder {
		return ""
	}
	third := len(scores) / 3
	change := stats.Median(scores[len(scores)-third:]) - stats.Median(scores[:third])
	return fmt.Sprintf("the run drifts: its rates changed by %+.1f %% from the first third of its blocks to the last", 100*math.Expm1(change))
}
