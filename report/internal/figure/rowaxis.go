package figure

import "github.com/syncwrite/syncwrite/results"

// rows are what a figure of one row each hangs from: names at the left, values along
// the width.
type rows struct {
	names   [][]string
	heights []float64
	at      box
	scale   scale
}

// newRows makes room for names, with a gap before the values, and for what stands
// right of them.
func newRows(g geometry, names [][]string, gap, right float64, s scale) rows {
	left := 0.0
	for _, n := range names {
		left = max(left, widest(n)+gap)
	}
	r := rows{names: names, heights: rowHeights(names), scale: s, at: box{left: left, right: g.width - right, top: 10}}
	r.at.bottom = r.at.top + sum(r.heights)
	return r
}

// x is where a value stands.
func (r rows) x(v results.Number) float64 { return r.at.left + r.scale.at(float64(v))*r.at.width() }

// axis draws ticks, and the names so far left of the values.
func (r rows) axis(p *picture, gap float64, write func(results.Number) string) {
	for _, t := range r.scale.ticks {
		x := r.x(results.Number(t))
		p.path("grid", segment(x, r.at.top-4, x, r.at.bottom), "")
		p.text("tick mid", x, r.at.bottom+15, write(results.Number(t)))
	}
	for i := range r.names {
		p.lines("label end", r.at.left-gap, r.middle(i)-float64(len(r.names[i])-1)*lineHeight/2+4, r.names[i])
	}
	p.Height = px(r.at.bottom + 24)
}

// middle is the height of a row's middle.
func (r rows) middle(i int) float64 {
	return r.at.top + sum(r.heights[:i]) + (r.heights[i]-barGap)/2
}
