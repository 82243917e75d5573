package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// TrialPoints draws every trial, block by block, so that drift and two states
// of one cell are seen where a median hides them.
func TrialPoints(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "trials",
		experiment: f.Experiment.Name,
		Title:      "Every trial, ops/s by block within each N",
		Read:       "Each dot is a trial; a cell's dots stand in the order of their blocks, its median is the level line. A slope is drift, two heights are two states. Each variant has its own axis, logarithmic.",
	}
	var tiles []tile
	var zero []string
	levels := sheet.LevelsOf(f.Summaries)
	for i, name := range f.Series {
		cells := trialsOf(f, name, levels)
		var rates []float64
		for n, trials := range cells {
			if slices.ContainsFunc(trials, func(t results.Trial) bool { return !drawable(t) }) {
				zero = append(zero, fmt.Sprintf("%s at N = %d", name, levels[n]))
			}
			for _, t := range trials {
				if drawable(t) {
					rates = append(rates, t.OpsPerS())
				}
			}
		}
		if y, ok := logScale(rates); ok {
			tiles = append(tiles, tile{withPromise(f, name), i, func(p *picture, at box) { p.trials(at, y, i, levels, cells) }})
		}
	}
	d.Notes = missingNote(zero, "no throughput above zero in some trials")
	if len(tiles) == 0 {
		return d
	}
	return d.both(func(g geometry) picture { return tiled(g, 130, 44, 40, tiles) })
}

func drawable(t results.Trial) bool { return t.Ops > 0 && t.WallNS > 0 }

// trialsOf gives a line's trials, by level, in the order they were run.
func trialsOf(f sheet.Sheet, name string, levels []int) [][]results.Trial {
	cells := make([][]results.Trial, len(levels))
	for _, s := range f.Summaries {
		if f.Label(s) != name {
			continue
		}
		at := slices.Index(levels, s.Goroutines)
		for _, t := range f.Trials {
			if t.Cell() == s.Cell() {
				cells[at] = append(cells[at], t)
			}
		}
		slices.SortStableFunc(cells[at], func(a, b results.Trial) int {
			if a.Env != b.Env {
				return a.Env - b.Env
			}
			return a.Block - b.Block
		})
	}
	return cells
}

func (p *picture) trials(at box, y scale, i int, levels []int, cells [][]results.Trial) {
	p.upwards(at, y, func(v float64) string { return short(results.Number(v).Rate()) })
	step := at.width() / float64(len(levels))
	free := math.Inf(-1)
	for n, trials := range cells {
		left := at.left + float64(n)*step
		text := fmt.Sprint(levels[n])
		if half := measure(text) / 2; left+step/2-half > free {
			p.text("tick mid", left+step/2, at.bottom+15, text)
			free = left + step/2 + half + 4
		}
		var rates []float64
		for k, t := range trials {
			if !drawable(t) {
				continue
			}
			rates = append(rates, t.OpsPerS())
			x := left + step*(0.15+0.7*(float64(k)+0.5)/float64(len(trials)))
			title := fmt.Sprintf("N = %d, block %d: %s/s", t.Goroutines, t.Block, results.Number(t.OpsPerS()).Rate())
			p.path("trial "+look(i), trialDot(x, at.bottom-y.at(t.OpsPerS())*at.height()), title)
		}
		if len(rates) > 0 {
			mid := at.bottom - y.at(middle(rates))*at.height()
			p.path("median "+look(i), segment(left+step*0.12, mid, left+step*0.88, mid), "")
		}
	}
	p.path("axis", segment(at.left, at.bottom, at.right, at.bottom), "")
	p.text("tick mid", (at.left+at.right)/2, at.bottom+30, "goroutines N")
}

func trialDot(x, y float64) string {
	return fmt.Sprintf("M%v %va2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0Z", px(x-2.6), px(y))
}

// middle is the median, for a line to guide the eye.
func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
