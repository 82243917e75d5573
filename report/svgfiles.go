package report

import (
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A Figure is one drawing as an SVG file of its own. It follows the reader's
// choice of dark or light.
type Figure struct {
	Name string // of the file, without ending; lower case, digits and dashes
	SVG  []byte
}

// Figures draws the figures of a report, in the order of the page. Where the
// report holds several experiments their names stand in front. A figure with
// nothing to show is left out.
func Figures(r *results.Report) ([]Figure, error) {
	var all []Figure
	for _, f := range r.Findings {
		for _, d := range figure.All(f) {
			svg, err := figure.File(d)
			if err != nil {
				return nil, err
			}
			name := d.Name
			if len(r.Findings) > 1 {
				name = fileName(f.Experiment.Name) + "-" + name
			}
			all = append(all, Figure{name, svg})
		}
	}
	return all, nil
}

// Throughput draws the main figure of one experiment: operations a second over
// goroutines; of the open loop, where that is what was asked for, the response over the
// rate. Where there is nothing to draw the figure says so.
func Throughput(f results.Finding) ([]byte, error) {
	s := sheet.New(f)
	if sheet.Open(s) {
		return figure.File(figure.OverRate(s))
	}
	return figure.File(figure.Throughput(s))
}

// fileName keeps of a name what is harmless in a path.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}
