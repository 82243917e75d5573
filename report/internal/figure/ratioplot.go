package figure

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// mostRatioRows is how many cells the plot has room for: the worst, and the best.
const mostRatioRows = 40

// Ratios draws the cells of a comparison, worst first: the ratio new ÷ old with its
// interval. What was called worse or better stands out by colour and sign.
func Ratios(c *results.Comparison) Drawing {
	all := slices.DeleteFunc(slices.Clone(c.Changes), func(x results.Change) bool { return !x.Ratio.Median.Known() || x.Ratio.Median <= 0 })
	d := Drawing{
		Name: "ratios", experiment: "compare",
		Title: "Throughput of the new run ÷ that of the old, worst cell first, log axis",
		Read:  "A point is the ratio, a line its 95 % interval. ▼ is worse and ▲ better, beyond what is called a difference; grey is the same, or cannot be told.",
	}
	drawable := len(all)
	if left := drawable - mostRatioRows; left > 0 {
		all = slices.Delete(all, mostRatioRows/2, mostRatioRows/2+left)
		d.Notes = []string{fmt.Sprintf("Of %s between the worst and the best nothing is drawn; the table has them.", results.Count(left, "cell"))}
	}
	if without := len(c.Changes) - drawable; without > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("Not drawn, since a log axis shows no ratio of 0 or of what was not measured: %s; the table has them.", results.Count(without, "cell")))
	}
	values := []float64{1}
	for _, x := range all {
		values = append(values, float64(x.Ratio.Median))
		if x.Ratio.Bounded() {
			values = append(values, float64(x.Ratio.Low), float64(x.Ratio.High))
		}
	}
	scale, ok := logScale(values)
	if !ok || len(all) == 0 {
		return d
	}
	fixed := sheet.FixedFactors(c.Changes)
	return d.both(func(g geometry) picture { return ratioRows(g, scale, all, fixed) })
}

// lookOf is the class of a call's colour, and its sign.
func lookOf(call string) (class, sign string) {
	switch call {
	case results.Worse:
		return "worse", "▼"
	case results.Better:
		return "better", "▲"
	}
	return "unchanged", ""
}

func ratioRows(g geometry, s scale, all []results.Change, fixed map[string]map[string]string) picture {
	p := picture{Width: px(g.width)}
	var names [][]string
	for _, c := range all {
		names = append(names, wrap(sheet.ShortName(c, fixed[c.Experiment]), min(330, 0.48*g.width)))
	}
	r := newRows(g, names, 26, 24, s)
	r.axis(&p, 24, func(n results.Number) string { return short(n.Three()) + "×" })
	p.path("rule", segment(r.x(1), r.at.top-4, r.x(1), r.at.bottom), "")
	for i, c := range all {
		class, sign := lookOf(c.Call)
		y := r.middle(i)
		p.text("sign "+class, r.at.left-18, y+4, sign)
		title := fmt.Sprintf("%s: %s, ratio %s (%s), %s to %s a second", sheet.ShortName(c, fixed[c.Experiment]), c.Call,
			sheet.RatioOf(c.Ratio.Median), sheet.Span(c.Ratio, sheet.RatioOf), c.Old.Median.Rate(), c.New.Median.Rate())
		if c.Ratio.Bounded() {
			p.path("interval "+class, segment(r.x(c.Ratio.Low), y, r.x(c.Ratio.High), y), "")
		}
		p.path("ratio "+class, rectangle(r.x(c.Ratio.Median)-4, y-4, 8, 8), title)
	}
	return p
}
