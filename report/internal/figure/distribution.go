package figure

import (
	"fmt"
	"math"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// binsPerDecade is how finely a distribution is drawn. The clock's own step is
// coarser than a bucket of the histogram where latencies are short.
const binsPerDecade = 12

// Distributions draws the latencies of every cell, one ridge a cell.
func Distributions(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "distribution",
		experiment: f.Experiment.Name,
		Title:      "Distribution of latency, one ridge for each N",
		Read:       "Height is the share of operations in a step of the log axis, each ridge to its own peak. The dot is the mean, the short rule p50, the long one p99.",
	}
	var seen []float64
	var without []string
	for _, s := range f.Summaries {
		if s.Hist == nil || s.Hist.Count() == 0 {
			without = append(without, fmt.Sprintf("%s at N = %d", f.Label(s), s.Goroutines))
			continue
		}
		seen = append(seen, max(float64(s.Hist.Min()), timed(s)), max(float64(s.Hist.Max()), timed(s)))
	}
	d.Notes = missingNote(without, "no histogram in these results")
	x, ok := decades(seen)
	if !ok {
		return d
	}
	tiles, levels := ridgeTiles(f, x)
	return d.both(func(g geometry) picture { return tiled(g, float64(levels)*ridgeStep, 36, 30, tiles) })
}

// decades is a log scale of whole decades, so that bins fall on its ticks.
func decades(all []float64) (scale, bool) {
	low, high := math.Inf(1), 0.0
	for _, v := range all {
		low, high = min(low, v), max(high, v)
	}
	if high == 0 {
		return scale{}, false
	}
	s := scale{low: math.Floor(math.Log10(low)), high: math.Ceil(math.Log10(high)), log: true}
	s.high = max(s.high, s.low+1)
	for power := s.low; power <= s.high; power++ {
		s.ticks = append(s.ticks, math.Pow(10, power))
	}
	return s, true
}

// timed is the shortest time that the clock could tell, at least 1 ns: what is
// shorter stands there.
func timed(s results.Summary) float64 {
	if s.FloorNS.Known() {
		return max(float64(s.FloorNS), 1)
	}
	return 1
}

const ridgeStep = 26.0

func ridgeTiles(f sheet.Sheet, x scale) (tiles []tile, most int) {
	for i, name := range f.Series {
		var cells []results.Summary
		for _, s := range f.Summaries {
			if f.Label(s) == name && s.Hist != nil && s.Hist.Count() > 0 {
				cells = append(cells, s)
			}
		}
		if len(cells) == 0 {
			continue
		}
		most = max(most, len(cells))
		tiles = append(tiles, tile{withPromise(f, name), i, func(p *picture, at box) { p.ridges(at, x, i, name, cells) }})
	}
	return tiles, most
}

// withPromise puts the promise behind a variant's name where it differs.
func withPromise(f sheet.Sheet, name string) string {
	return strings.TrimSuffix(name+" – "+sheet.PromiseTitle(f, sheet.PromiseOf(f, name)), " – ")
}

func (p *picture) ridges(at box, x scale, i int, name string, cells []results.Summary) {
	used := at
	used.bottom = at.top + float64(len(cells))*ridgeStep
	p.across(used, x, func(v float64) string { return short(results.Number(v).Nanoseconds()) })
	for row, s := range cells {
		base := at.top + float64(row+1)*ridgeStep
		p.text("tick end", at.left-6, base-2, fmt.Sprint(s.Goroutines))
		title := fmt.Sprintf("%s, N = %d: mean %s, p50 %s, p99 %s", name, s.Goroutines,
			s.MeanNS.Median.Nanoseconds(), sheet.P50(s), sheet.P99(s))
		p.path("ridge "+look(i), ridge(used, x, base, s), title)
		for _, mark := range []struct {
			value  results.Number
			height float64
		}{{s.P50NS, 7}, {s.P99NS, 14}} {
			if mark.value.Known() {
				at := used.left + x.at(max(float64(mark.value), 1))*used.width()
				p.path("quantile", segment(at, base, at, base-mark.height), "")
			}
		}
		if s.MeanNS.Median > 0 {
			p.path("mean", shape(0, used.left+x.at(float64(s.MeanNS.Median))*used.width(), base), title)
		}
	}
}

// ridge draws the shares as steps on a base line.
func ridge(at box, x scale, base float64, s results.Summary) string {
	bins := binned(s, x)
	peak := 0.0
	for _, share := range bins {
		peak = max(peak, share)
	}
	step := at.width() / float64(len(bins))
	var way pen
	level := 0.0
	way.to("M", at.left, base)
	for i, share := range bins {
		if share == level {
			continue
		}
		x := at.left + float64(i)*step
		way.to("L", x, base-level/peak*(ridgeStep-3)).to("L", x, base-share/peak*(ridgeStep-3))
		level = share
	}
	if level > 0 {
		way.to("L", at.right, base-level/peak*(ridgeStep-3)).to("L", at.right, base)
	}
	return way.close().String()
}

// binned spreads each bucket over the bins that it touches.
func binned(s results.Summary, x scale) []float64 {
	bins := make([]float64, int(math.Round((x.high-x.low)*binsPerDecade)))
	place := func(v float64) float64 { return (math.Log10(max(v, timed(s))) - x.low) * binsPerDecade }
	for b := range s.Hist.Buckets() {
		from, to := place(float64(b.Low)), place(float64(b.High)+1)
		for i := max(int(from), 0); i < len(bins) && float64(i) < max(to, from+1e-9); i++ {
			part := 1.0
			if to > from {
				part = (min(to, float64(i+1)) - max(from, float64(i))) / (to - from)
			}
			bins[i] += part * float64(b.Count)
		}
	}
	return bins
}
