package figure

import "math"

// A tile is one of many small drawings of equal size, with a title.
type tile struct {
	title string
	look  int
	draw  func(p *picture, at box)
}

// A box is the place of a tile's plot, in pixels.
type box struct{ left, right, top, bottom float64 }

func (b box) width() float64  { return b.right - b.left }
func (b box) height() float64 { return b.bottom - b.top }

// tiled lays tiles out in a grid; left and below are kept free in each for the
// numbers of its axes.
func tiled(g geometry, height, left, below float64, tiles []tile) picture {
	p := picture{Width: px(g.width)}
	columns := min(g.columns, len(tiles))
	if columns == 0 {
		return p
	}
	width := (g.width - float64(columns-1)*panelGap) / float64(columns)
	y := 0.0
	for first := 0; first < len(tiles); first += columns {
		row := tiles[first:min(first+columns, len(tiles))]
		head := 0.0
		for _, t := range row {
			head = max(head, float64(len(wrapHead(t.title, width-14)))*lineHeight+8)
		}
		for i, t := range row {
			x := float64(i) * (width + panelGap)
			p.path("dot "+look(t.look), shape(t.look, x+5, y+9), "")
			p.lines("head", x+14, y+13, wrapHead(t.title, width-14))
			t.draw(&p, box{x + left, x + width - 8, y + head, y + head + height})
		}
		y += head + height + below
	}
	p.Height = px(y)
	return p
}

// across writes a scale below a box, as many of its ticks as fit.
func (p *picture) across(b box, s scale, write func(float64) string) {
	free := math.Inf(-1)
	var rules pen
	for _, t := range s.ticks {
		x := b.left + s.at(t)*b.width()
		rules.to("M", x, b.top).to("L", x, b.bottom)
		text := write(t)
		half := measure(text) / 2
		if x-half < free || x+half > b.right+8 {
			continue
		}
		free = x + half + 8
		p.text("tick mid", x, b.bottom+15, text)
	}
	p.path("grid", rules.String(), "")
}

// upwards writes a scale left of a box.
func (p *picture) upwards(b box, s scale, write func(float64) string) {
	var rules pen
	for _, t := range s.ticks {
		y := b.bottom - s.at(t)*b.height()
		rules.to("M", b.left, y).to("L", b.right, y)
		p.text("tick end", b.left-6, y+4, write(t))
	}
	p.path("grid", rules.String(), "")
}
