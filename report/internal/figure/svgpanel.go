package figure

import (
	"cmp"
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/results"
)

// A panel is one set of axes with its lines. Panels of a figure share their
// scale, so that they can be compared, but for those that have one of their own.
type panel struct {
	title  string
	own    *scale
	series []series
	bounds []results.Bound // marked across the plot
}

// A line is what one variant did over N.
type series struct {
	name   string
	of     string // a series of the experiment that it is a part of, where its name is none
	below  string // the promise, where the panel mixes several
	look   int    // place among the experiment's lines; the same in every figure
	points []point
	law    []lawPoint // the curve of the law that it follows
}

// label is that of a series of the experiment.
func (l series) label() string { return cmp.Or(l.of, l.name) }

type point struct {
	n     int
	y     results.Interval
	title string
}

// axes are what the panels of a figure share.
type axes struct {
	levels []int
	y      scale
	tick   func(results.Number) string
	rule   float64 // a value to mark with a line, NaN for none
	bands  bool
	height float64          // of the plot, where labels do not need more
	over   string           // what the levels are; empty: goroutines N
	even   bool             // levels stand as far apart as their numbers are; else as their logarithms
	level  func(int) string // how one is written; nil: as it is
}

// frame is the place of one panel and of its parts, in pixels.
type frame struct {
	axes
	left, right, top, bottom float64 // of the plot
	start, end               float64 // of the axis and of the labels
}

const (
	titleRoom = 30.0
	levelRoom = 44.0 // for the levels of N and their name
	panelGap  = 18.0
	labelGap  = 22.0 // from the plot to its labels
)

// lineFigure lays panels out in a grid and draws them.
func lineFigure(g geometry, a axes, panels []panel) picture {
	p := picture{Width: px(g.width)}
	columns := min(g.columns, len(panels))
	if columns == 0 {
		return p
	}
	width := (g.width - float64(columns-1)*panelGap) / float64(columns)
	y := 0.0
	for first := 0; first < len(panels); first += columns {
		row := panels[first:min(first+columns, len(panels))]
		tags := make([][]tag, len(row))
		height := a.height
		for i, one := range row {
			tags[i] = append(endTags(one.series, labelRoom(width)), boundTags(one.bounds, labelRoom(width))...)
			height = max(height, heightOf(tags[i]))
		}
		head := headRoom(row, width)
		for i, one := range row {
			f := frame{axes: a.of(one), start: float64(i) * (width + panelGap), top: y + head}
			f.left, f.end = f.start+f.room(), f.start+width
			f.right = f.end - labelGap - widestTag(tags[i])
			f.bottom = f.top + height
			p.panel(f, one, tags[i])
		}
		y += head + height + levelRoom
	}
	p.Height = px(y)
	return p
}

// of are the axes of a panel.
func (a axes) of(one panel) axes {
	if one.own != nil {
		a.y = *one.own
	}
	return a
}

// room is what the numbers of the vertical axis take.
func (a axes) room() float64 {
	most := 36.0
	for _, t := range a.y.ticks {
		most = max(most, measure(a.tick(results.Number(t))))
	}
	return most + 8
}

// labelRoom is the part of a panel that labels may take; a longer name is
// broken into lines.
func labelRoom(width float64) float64 { return min(190, 0.36*width) }

func headRoom(row []panel, width float64) float64 {
	lines := 0
	for _, one := range row {
		if one.title != "" {
			lines = max(lines, len(wrapHead(one.title, width)))
		}
	}
	if lines == 0 {
		return lineHeight / 2
	}
	return titleRoom + float64(lines-1)*lineHeight
}

// boundTags name the bounds, to be kept apart from the names of the lines.
func boundTags(bounds []results.Bound, room float64) []tag {
	var tags []tag
	for _, b := range bounds {
		tags = append(tags, tag{lines: wrap("for comparison: "+b.About, room), class: "limit"})
	}
	return tags
}

func endTags(lines []series, room float64) []tag {
	var tags []tag
	for _, l := range lines {
		name, below := wrap(l.name, room), wrap(l.below, room)
		tags = append(tags, tag{lines: append(name, below...), soft: len(name), class: look(l.look)})
	}
	return tags
}

func widestTag(tags []tag) float64 {
	most := 0.0
	for _, t := range tags {
		most = max(most, widest(t.lines))
	}
	return most
}

// look is the class that gives a line its colour and its dashes.
func look(i int) string { return fmt.Sprintf("c%d d%d", i%colours, i/colours%dashes) }

const (
	colours = 8
	dashes  = 4
)

func (f frame) x(n int) float64 { return f.xAt(float64(n)) }

func (f frame) xAt(n float64) float64 {
	place := math.Log2
	if f.even {
		place = func(n float64) float64 { return n }
	}
	low, high := place(float64(f.levels[0])), place(float64(f.levels[len(f.levels)-1]))
	const inset = 10
	if high == low {
		return (f.left + f.right) / 2
	}
	return f.left + inset + (place(n)-low)/(high-low)*(f.right-f.left-2*inset)
}

func (f frame) yOf(v results.Number) float64 {
	return f.bottom - f.axes.y.at(float64(v))*(f.bottom-f.top)
}

func (p *picture) panel(f frame, one panel, tags []tag) {
	if one.title != "" {
		lines := wrapHead(one.title, f.end-f.start)
		p.lines("head", f.start, f.top-titleRoom+14-float64(len(lines)-1)*lineHeight, lines)
	}
	p.grid(f)
	if f.bands {
		for _, l := range one.series {
			p.band(f, l)
		}
	}
	for _, l := range one.series {
		p.law(f, l)
		p.line(f, l)
	}
	for i, l := range one.series {
		last := l.points[len(l.points)-1]
		tags[i].x, tags[i].want = f.x(last.n), f.yOf(last.y.Median)
	}
	for i, b := range one.bounds {
		y := f.yOf(b.OpsPerS.Median)
		p.path("rule", segment(f.left, y, f.right, y), fmt.Sprintf("%s: %s/s at N = 1", b.About, b.OpsPerS.Median.Rate()))
		t := &tags[len(one.series)+i]
		t.x, t.want = f.right, y
	}
	p.tags(f, tags)
}

// grid draws the scales.
func (p *picture) grid(f frame) {
	var rules pen
	for _, t := range f.axes.y.ticks {
		y := f.yOf(results.Number(t))
		rules.to("M", f.left, y).to("L", f.right, y)
		p.text("tick end", f.left-6, y+4, f.tick(results.Number(t)))
	}
	p.path("grid", rules.String(), "")
	if !math.IsNaN(f.rule) {
		p.path("rule", segment(f.left, f.yOf(results.Number(f.rule)), f.right, f.yOf(results.Number(f.rule))), "")
	}
	p.path("axis", segment(f.left, f.bottom, f.right, f.bottom), "")
	free := math.Inf(-1)
	for _, n := range f.levels {
		text := fmt.Sprint(n)
		if f.level != nil {
			text = f.level(n)
		}
		x, half := f.x(n), measure(text)/2
		if x-half < free {
			continue
		}
		free = x + half + 6
		p.text("tick mid", x, f.bottom+16, text)
	}
	p.text("tick mid", (f.left+f.right)/2, f.bottom+32, cmp.Or(f.over, "goroutines N"))
}

// band is the area between the bounds of the intervals. A point without
// neighbours shows its interval as a whisker.
func (p *picture) band(f frame, l series) {
	var known []point
	for _, pt := range l.points {
		if pt.y.Bounded() {
			known = append(known, pt)
		}
	}
	if len(known) == 1 {
		x := f.x(known[0].n)
		p.path("whisker "+look(l.look), segment(x, f.yOf(known[0].y.Low), x, f.yOf(known[0].y.High)), "")
	}
	if len(known) < 2 {
		return
	}
	var around pen
	for i, pt := range known {
		around.to(moveOrLine(i), f.x(pt.n), f.yOf(pt.y.High))
	}
	for i := len(known) - 1; i >= 0; i-- {
		around.to("L", f.x(known[i].n), f.yOf(known[i].y.Low))
	}
	p.path("band "+look(l.look), around.close().String(), "")
}

func moveOrLine(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}

func (p *picture) line(f frame, l series) {
	var way pen
	for i, pt := range l.points {
		way.to(moveOrLine(i), f.x(pt.n), f.yOf(pt.y.Median))
	}
	p.path("line "+look(l.look), way.String(), "")
	for _, pt := range l.points {
		p.path("dot "+look(l.look), shape(l.look, f.x(pt.n), f.yOf(pt.y.Median)), pt.title)
	}
}

// shape is the mark of a line's points, so that colour is not all that tells
// lines apart.
func shape(i int, x, y float64) string {
	const r = 3.6
	switch i % 4 {
	case 1:
		return rectangle(x-r*0.9, y-r*0.9, 1.8*r, 1.8*r)
	case 2:
		return new(pen).to("M", x, y-1.2*r).to("L", x+1.2*r, y+r).to("L", x-1.2*r, y+r).close().String()
	case 3:
		return new(pen).to("M", x, y-1.3*r).to("L", x+1.3*r, y).to("L", x, y+1.3*r).to("L", x-1.3*r, y).close().String()
	}
	return fmt.Sprintf("M%v %va%v %v 0 1 0 %v 0a%v %v 0 1 0 %v 0Z", px(x-r), px(y), px(r), px(r), px(2*r), px(r), px(r), px(-2*r))
}

// tags draws the labels, each tied to the end of its line.
func (p *picture) tags(f frame, tags []tag) {
	spread(tags, f.top, f.bottom)
	for _, t := range tags {
		p.path("tie "+t.class, segment(max(t.x, f.right-4)+4, t.want, f.right+labelGap-4, t.mid), "")
		if t.x < f.right-20 {
			p.path("tie "+t.class, segment(t.x+5, t.want, f.right, t.want), "")
		}
		y := t.mid - t.height()/2 + lineHeight - 4
		p.lines("label", f.right+labelGap, y, t.lines[:t.soft])
		p.lines("label below", f.right+labelGap, y+float64(t.soft)*lineHeight, t.lines[t.soft:])
	}
}
