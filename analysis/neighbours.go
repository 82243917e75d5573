package analysis

import (
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// neighboursP is what the blocks of a run are held to: one run in 200 whose order says nothing is
// called. Six blocks have 2 in 720 where all they can tell is told.
const neighboursP = 0.005

// neighbouring says of each part of a run whether its blocks tell more of those beside them than of
// others: the rates drift, or trials are autocorrelated. Intervals take them for independent.
func neighbouring(run *results.Run) (all []results.Warning) {
	for env := range run.Envs {
		rows := rowsOf(run, env)
		found := stats.AlikeNeighbours(rows)
		if !(found.P <= neighboursP) {
			continue
		}
		text := fmt.Sprintf("autocorrelated: trials of neighbouring blocks differ by %.0f %% of what any two do", 100*found.Share)
		if from, to, drifts := drift(rows); drifts {
			text = fmt.Sprintf("the run drifts: its rates changed by %+.1f %% from the first third of its blocks to the last", 100*(to/from-1))
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
		if row := logRates(inTurn(cells[cell])); len(row) == blocks {
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

// drift reports whether the blocks' rates, all cells together, rise or fall from one to the next,
// and what they are in the first and in the last third.
func drift(rows [][]float64) (from, to float64, drifts bool) {
	scores := make([]float64, len(rows[0]))
	for _, row := range rows {
		for i, x := range row {
			scores[i] += (x - stats.Mean(row)) / float64(len(rows))
		}
	}
	third := len(scores) / 3
	from, to = math.Exp(stats.Median(scores[:third])), math.Exp(stats.Median(scores[len(scores)-third:]))
	return from, to, stats.TrendP(scores) <= neighboursP
}
