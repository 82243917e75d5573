package report

import (
	"fmt"
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
	var experiments []string
	for _, f := range r.Findings {
		experiments = append(experiments, f.Experiment.Name)
	}
	files := fileNames(experiments)
	for i, f := range r.Findings {
		for _, d := range figure.All(f) {
			svg, err := figure.File(d)
			if err != nil {
				return nil, err
			}
			name := d.Name
			if len(r.Findings) > 1 {
				name = files[i] + "-" + name
			}
			all = append(all, Figure{name, svg})
		}
	}
	return all, nil
}

// Throughput draws the main figure of one experiment: operations a second over
// goroutines, or over a factor that the experiment names; of the open loop, where that is what was asked for, the response over the
// rate. Where there is nothing to draw the figure says so.
func Throughput(f results.Finding) ([]byte, error) {
	s := sheet.New(f)
	if sheet.Open(s) {
		return figure.File(figure.OverRate(s))
	}
	return figure.File(figure.Main(s, s))
}

// fileNames makes names of files out of names, no two of them the same; since they have
// no capitals, no file system takes two for one. A name that is taken gets a number,
// which is not one that another has by itself.
func fileNames(names []string) []string {
	var all []string
	first := map[string]int{} // of the names that become a file name
	for i, name := range names {
		name = fileName(name)
		if _, taken := first[name]; !taken {
			first[name] = i
		}
		all = append(all, name)
	}
	for i, name := range all {
		for n := 2; first[all[i]] != i; n++ {
			all[i] = fmt.Sprintf("%s-%d", name, n)
			if _, taken := first[all[i]]; !taken {
				first[all[i]] = i
			}
		}
	}
	return all
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
