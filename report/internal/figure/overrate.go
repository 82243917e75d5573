package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// OverRate is the main figure of the open loop: what the response takes at each rate.
func OverRate(f sheet.Sheet) Drawing {
	d := Drawing{
		Name: "response", experiment: f.Experiment.Name,
		Title: "p99 of the response over the rate at which operations are due, log axes",
		Read:  "From when an operation was due to its end, of all trials. A line that turns upward is where what is due waits for what came before it.",
	}
	lines := responses(f)
	levels := levelsOf(lines)
	y, ok := logScale(values(lines))
	if !ok || len(levels) < 2 {
		d.Notes = append(d.Notes, "Nothing to draw: fewer than two rates.")
		return d
	}
	return d.overN(f, lines, nil, axes{levels: levels, y: y, tick: tickOf(results.Number.Nanoseconds), rule: noRule(), over: "due a second",
		level: func(n int) string { return short(results.Number(n).Rate()) }})
}

// responses makes a line of each variant, at each level of its other factors and of N.
func responses(f sheet.Sheet) []series {
	var lines []series
	q := quantity{"p99 of the response", nil, results.Number.Nanoseconds}
	for _, s := range f.Summaries {
		p99 := results.Interval{Median: s.P99NS, Low: results.Missing(), High: results.Missing()}
		if s.Open == nil || !(p99.Median > 0) || !(s.Open.DuePerS >= 1) {
			continue
		}
		name := without(f, s, results.RateFactor)
		at := slices.IndexFunc(lines, func(l series) bool { return l.name == name })
		if at < 0 {
			at = len(lines)
			lines = append(lines, series{name: name, of: f.Label(s), look: at})
		}
		n := int(s.Open.DuePerS + 0.5)
		title := fmt.Sprintf("%s, %s/s due: %s %s", name, s.Open.DuePerS.Rate(), q.name, q.write(s.P99NS))
		lines[at].points = append(lines[at].points, point{n, p99, title})
	}
	for _, l := range lines {
		slices.SortFunc(l.points, func(a, b point) int { return a.n - b.n })
	}
	return lines
}

// without names the line of a summary over all levels of a factor.
func without(f sheet.Sheet, s results.Summary, factor string) string {
	words := slices.DeleteFunc(strings.Fields(f.Label(s)), func(word string) bool { return strings.HasPrefix(word, factor+"=") })
	if len(sheet.LevelsOf(f.Summaries)) > 1 {
		words = append(words, fmt.Sprintf("N=%d", s.Goroutines))
	}
	return strings.Join(words, " ")
}
