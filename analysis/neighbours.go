package analysis

import (
	"fmt"
	"math"

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
		rows := rowsOf(run, env)
		found := stats.AlikeNeighbours(rows)
		if !(found.P <= neighboursP) || byOneBlock(rows) {
			continue
		}
		text := drift(rows)
		if text == "" {
			text = fmt.Sprintf("autocorrelated, or each cell drifts its own way: trials of neighbouring blocks differ by %.0f %% of what any two do", 100*found.Share)
		}
		all = append(all, results.Warning{Code: results.WarnInOrder, Text: text + "; intervals take trials for independent, and are narrower than what another run would have"})
	}
	return all
}

// rowsOf are the logarithms of the rates of each cell of a part of a run, block by block, of those
// cells that have a rate in each block.
func rowsOf(run *results.Run, env int) [][]float64 {
	cells, blocks := map[results.Cell][]results.Trial{}, 0
	var order []results.Cell
	for _, t := range run.Trials {
		if t.Env != env || t.Open != nil || hasWarning(t, results.WarnKept) {
			continue
		}
		if cells[t.Cell()] == nil {
			order = append(order, t.Cell())
		}
		cells[t.Cell()] = append(cells[t.Cell()], t)
		blocks = max(blocks, t.Block)
	}
	if blocks < minTrials {
		return nil
	}
	var rows [][]float64
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
func byOneBlock(rows [][]float64) bool {
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
	return !(part(1, n) <= neighboursP) || !(part(0, n-1) <= neighboursP)
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
func drift(rows [][]float64) string {
	scores := make([]float64, len(rows[0]))
	for _, row := range rows {
		for i, x := range row {
			scores[i] += (x - stats.Mean(row)) / float64(len(rows))
		}
	}
	if !(stats.TrendP(scores) <= neighboursP) || stats.AlikeNeighbours(withoutLines(rows)).P < noOrder {
		return ""
	}
	third := len(scores) / 3
	change := stats.Median(scores[len(scores)-third:]) - stats.Median(scores[:third])
	return fmt.Sprintf("the run drifts: its rates changed by %+.1f %% from the first third of its blocks to the last", 100*math.Expm1(change))
}
