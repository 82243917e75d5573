package figure

import (
	"math"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/scaling"
)

// withLaws gives each series the curve of the law that it follows, if it follows one, and
// reports whether any does.
func withLaws(f sheet.Sheet, all []series) (some bool) {
	for i, l := range all {
		for _, fit := range f.Fits {
			if fit.Told && len(l.points) > 1 && f.LabelOf(fit.Variant, fit.Factors) == l.name {
				all[i].law = curve(fit, l.points[0].n, l.points[len(l.points)-1].n)
				some = true
			}
		}
	}
	return some
}

// curve has a point every twentieth of a doubling, no farther than what was measured.
func curve(fit results.Fit, from, to int) []lawPoint {
	law := scaling.Law{Lambda: float64(fit.Lambda.Median), Sigma: float64(fit.Sigma.Median), Kappa: float64(fit.Kappa.Median)}
	const steps = 20
	doublings := math.Log2(float64(to) / float64(from))
	count := max(1, int(steps*doublings))
	var all []lawPoint
	for i := range count + 1 {
		n := float64(from) * math.Exp2(doublings*float64(i)/float64(count))
		all = append(all, lawPoint{n, results.Number(law.Throughput(n))})
	}
	return all
}

type lawPoint struct {
	n float64
	y results.Number
}

func (p *picture) law(f frame, l series) {
	var way pen
	for i, pt := range l.law {
		way.to(moveOrLine(i), f.xAt(pt.n), f.yOf(pt.y))
	}
	if len(l.law) > 0 {
		p.path("law "+look(l.look), way.String(), "")
	}
}
