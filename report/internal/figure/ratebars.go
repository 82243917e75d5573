package figure

import (
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// rateBars draws an experiment of one level of N: a curve would be a point. Bars
// begin at the left edge of a log axis, so that their ends can be compared, not
// their lengths.
func rateBars(g geometry, f sheet.Sheet, s scale) picture {
	p := picture{Width: px(g.width)}
	var names [][]string
	for i, sum := range f.Summaries {
		name := f.Labels[i]
		if words := sheet.Differing(f, sum.Promise); len(words) > 0 {
			name += ", " + strings.Join(words, ", ")
		}
		names = append(names, wrap(name, min(330, 0.48*g.width)))
	}
	r := newRows(g, names, 10, 64, s)
	r.axis(&p, 8, func(n results.Number) string { return short(n.Rate()) })
	for i, sum := range f.Summaries {
		p.rateBar(r.at.left, r.middle(i), r.x, sum)
	}
	return p
}

func (p *picture) rateBar(left, middle float64, x func(results.Number) float64, s results.Summary) {
	rate := s.OpsPerS
	if !rate.Median.Known() || rate.Median <= 0 {
		p.text("note", left+6, middle+4, "no throughput")
		return
	}
	end := x(rate.Median)
	title := pointTitle(s.Variant, s.Goroutines, quantity{name: "ops/s", write: results.Number.Rate}, rate)
	p.path("part c0 rate", rectangle(left, middle-barHeight/2, end-left, barHeight), title)
	if rate.Bounded() && rate.Low > 0 {
		p.path("c0 whisker", segment(x(rate.Low), middle, x(rate.High), middle), "")
		end = max(end, x(rate.High))
	}
	p.text("note", end+6, middle+4, rate.Median.Rate())
}
