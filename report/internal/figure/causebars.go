package figure

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// CauseBars shows where goroutine time went, at each variant's highest N.
func CauseBars(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "causes",
		experiment: f.Experiment.Name,
		Title:      "Where goroutine time went, at each variant's highest N",
		Read:       strings.Replace(sheet.CauseNotes(f), "* ", "Unexplained: ", 1) + " The parts come from different sources: they can pass 100 % by a few points, and nothing is then left unexplained.",
	}
	cells := causeCells(f)
	if len(cells) == 0 {
		return d
	}
	return d.both(func(g geometry) picture { return bars(g, f, cells) })
}

// causeCells are the cells of causeRows: the last of each variant, where
// causes were measured.
func causeCells(f sheet.Sheet) []results.Summary {
	var cells []results.Summary
	for i, s := range f.Summaries {
		last := i+1 == len(f.Summaries) || f.Label(f.Summaries[i+1]) != f.Label(s)
		if last && s.Cause.Unexplained.Known() {
			cells = append(cells, s)
		}
	}
	return cells
}

// causeParts are the parts of a bar, in their order.
func causeParts() []struct {
	name string
	get  func(results.Cause) results.Number
} {
	return []struct {
		name string
		get  func(results.Cause) results.Number
	}{
		{"CPU", func(c results.Cause) results.Number { return c.CPU }},
		{"parked at lock", func(c results.Cause) results.Number { return c.Lock }},
		{"runnable", func(c results.Cause) results.Number { return c.Scheduler }},
		{"unexplained", func(c results.Cause) results.Number { return c.Unexplained }},
	}
}

const (
	barHeight = 18.0
	barGap    = 8.0
)

func bars(g geometry, f sheet.Sheet, cells []results.Summary) picture {
	p := picture{Width: px(g.width)}
	names := make([][]string, len(cells))
	left := 0.0
	for i, s := range cells {
		names[i] = wrap(fmt.Sprintf("%s, N = %d", f.Label(s), s.Goroutines), min(230, 0.46*g.width))
		left = max(left, widest(names[i])+10)
	}
	y := p.legend(g.width)
	whole := 1.0
	for _, s := range cells {
		whole = max(whole, known(s.Cause))
	}
	at := box{left: left, right: g.width - 20, top: y}
	perUnit := at.width() / whole
	heights := rowHeights(names)
	at.bottom = y + sum(heights)
	for _, percent := range []float64{0, 25, 50, 75, 100} {
		x := at.left + percent/100*perUnit
		p.path("grid", segment(x, at.top-4, x, at.bottom), "")
		p.text("tick mid", x, at.bottom+15, results.Number(percent).Percent())
	}
	for i, s := range cells {
		height := heights[i] - barGap
		p.lines("label end", left-8, y+height/2-float64(len(names[i])-1)*lineHeight/2+4, names[i])
		p.bar(at.left, y+(height-barHeight)/2, perUnit, s)
		y += heights[i]
	}
	p.path("rule", segment(at.left+perUnit, at.top-4, at.left+perUnit, at.bottom), "")
	p.Height = px(y + 24)
	return p
}

func rowHeights(names [][]string) []float64 {
	heights := make([]float64, len(names))
	for i, lines := range names {
		heights[i] = max(barHeight, float64(len(lines))*lineHeight) + barGap
	}
	return heights
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// known is how much of the whole the positive parts make.
func known(c results.Cause) float64 {
	sum := 0.0
	for _, part := range causeParts() {
		if share := part.get(c); share.Known() && share > 0 {
			sum += float64(share)
		}
	}
	return sum
}

func (p *picture) bar(x, y, perUnit float64, s results.Summary) {
	for i, part := range causeParts() {
		portion := part.get(s.Cause)
		if !portion.Known() || portion <= 0 {
			continue
		}
		w := float64(portion) * perUnit
		text := sheet.Share(portion)
		p.path(fmt.Sprintf("part p%d", i), rectangle(x, y, w, barHeight), part.name+" "+text)
		if w > measure(text)+6 {
			p.text(fmt.Sprintf("inside i%d mid", i), x+w/2, y+barHeight/2+4, text)
		}
		x += w
	}
}

// legend names the parts in a row, and returns where the bars begin.
func (p *picture) legend(width float64) float64 {
	x, y := 0.0, 12.0
	for i, part := range causeParts() {
		if room := measure(part.name) + 18; x+room > width {
			x, y = 0, y+lineHeight+4
		}
		p.path(fmt.Sprintf("part p%d", i), rectangle(x, y-10, 12, 12), "")
		p.text("label", x+17, y, part.name)
		x += measure(part.name) + 34
	}
	return y + 18
}
