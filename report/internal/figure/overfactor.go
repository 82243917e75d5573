package figure

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// OverFactor draws throughput over the levels of the factor that the experiment names,
// where several were measured.
func OverFactor(f sheet.Sheet) Drawing {
	over := f.Experiment.Over
	if over == "" {
		return Drawing{}
	}
	d := Drawing{
		Name: "throughput", experiment: f.Experiment.Name,
		Title: "Operations a second over " + results.Printable(over) + ", log axes",
		Read:  "One line a variant, at its median. Compare only lines of equal promise.",
	}
	lines := overLevels(f, over)
	levels := levelsOf(lines)
	y, ok := logScale(values(lines))
	if !ok || len(levels) < 2 {
		return Drawing{}
	}
	d.Read += " " + bandsOf(lines)
	return d.overN(f, lines, nil, axes{levels: levels, y: y, tick: tickOf(results.Number.Rate), rule: noRule(), over: results.Printable(over), level: strconv.Itoa})
}

// overLevels makes a line of each variant, at each level of its other factors and of N.
func overLevels(f sheet.Sheet, over string) []series {
	var lines []series
	for _, s := range f.Summaries {
		level, err := strconv.Atoi(s.Factors[over])
		if err != nil || level < 1 || !(s.OpsPerS.Median > 0) {
			continue
		}
		name := without(f, s, over)
		at := slices.IndexFunc(lines, func(l series) bool { return l.name == name })
		if at < 0 {
			at = len(lines)
			lines = append(lines, series{name: name, of: f.Label(s), look: at})
		}
		title := fmt.Sprintf("%s, %s %d: %s ops/s", name, results.Printable(over), level, s.OpsPerS.Median.Rate())
		lines[at].points = append(lines[at].points, point{level, s.OpsPerS, title})
	}
	for _, l := range lines {
		slices.SortFunc(l.points, func(a, b point) int { return a.n - b.n })
	}
	return lines
}
