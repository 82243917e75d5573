package figure

import (
	"fmt"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A stackedKind is what parts of bars are of.
type stackedKind struct {
	name          string
	short         string // what a part says beside its share, where there is room
	class, inside string // of the part and of its text
}

// A stackedRow is one bar.
type stackedRow struct {
	name  string
	parts []stackedPart
}

type stackedPart struct {
	kind  int // its index
	share results.Number
	text  string // what is said of it beside its share
}

// whole is how much of the whole the positive parts make.
func (r stackedRow) whole() (sum float64) {
	for _, p := range r.parts {
		if p.share.Known() && p.share > 0 {
			sum += float64(p.share)
		}
	}
	return sum
}

// stacked draws a bar of parts for each row.
func (d Drawing) stacked(rows []stackedRow, kinds []stackedKind) Drawing {
	if len(rows) == 0 {
		return d
	}
	return d.both(func(g geometry) picture { return stackedBars(g, rows, kinds) })
}

const (
	barHeight = 18.0
	barGap    = 8.0
)

func stackedBars(g geometry, rows []stackedRow, kinds []stackedKind) picture {
	p := picture{Width: px(g.width)}
	names := make([][]string, len(rows))
	left, whole := 0.0, 1.0
	for i, r := range rows {
		names[i] = wrap(r.name, min(230, 0.46*g.width))
		left, whole = max(left, widest(names[i])+10), max(whole, r.whole())
	}
	y := p.legend(g.width, kinds)
	at := box{left: left, right: g.width - 20, top: y}
	perUnit := at.width() / whole
	heights := rowHeights(names)
	at.bottom = y + sum(heights)
	for _, percent := range []float64{0, 25, 50, 75, 100} {
		x := at.left + percent/100*perUnit
		p.path("grid", segment(x, at.top-4, x, at.bottom), "")
		p.text("tick mid", x, at.bottom+15, results.Number(percent).Percent())
	}
	for i, r := range rows {
		height := heights[i] - barGap
		p.lines("label end", left-8, y+height/2-float64(len(names[i])-1)*lineHeight/2+4, names[i])
		p.bar(at.left, y+(height-barHeight)/2, perUnit, r, kinds)
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

func (p *picture) bar(x, y, perUnit float64, r stackedRow, kinds []stackedKind) {
	for _, part := range r.parts {
		if !part.share.Known() || part.share <= 0 {
			continue
		}
		kind, w, text := kinds[part.kind], float64(part.share)*perUnit, sheet.Share(part.share)
		p.path("part "+kind.class, rectangle(x, y, w, barHeight), kind.name+" "+text+part.text)
		if named := kind.short + " " + text; kind.short != "" && w > measure(named)+6 {
			text = named
		}
		if w > measure(text)+6 {
			p.text(fmt.Sprintf("inside %s mid", kind.inside), x+w/2, y+barHeight/2+4, text)
		}
		x += w
	}
}

// legend names the parts in a row, and returns where the bars begin.
func (p *picture) legend(width float64, kinds []stackedKind) float64 {
	x, y := 0.0, 12.0
	for _, kind := range kinds {
		if room := measure(kind.name) + 18; x+room > width {
			x, y = 0, y+lineHeight+4
		}
		p.path("part "+kind.class, rectangle(x, y-10, 12, 12), "")
		p.text("label", x+17, y, kind.name)
		x += measure(kind.name) + 34
	}
	return y + 18
}
