package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Main is the first figure of an experiment in the closed loop: over the levels of N, or
// over those of a factor where the experiment asks for that, many were measured, and one
// N. few is what can be drawn of all by the other way.
func Main(all, few sheet.Sheet) Drawing {
	if len(sheet.LevelsOf(all.Summaries)) == 1 {
		if d := OverFactor(all); !d.Empty() {
			return d
		}
	}
	return Throughput(few)
}

// Throughput is the first of the two main figures.
func Throughput(f sheet.Sheet) Drawing {
	q := quantity{"ops/s", func(s results.Summary) results.Interval { return s.OpsPerS }, results.Number.Rate}
	lines, missing := seriesOf(f, q, false)
	d := Drawing{
		Name:       "throughput",
		experiment: f.Experiment.Name,
		Title:      "Operations a second over goroutines N, log axes",
		Read:       "One line a variant, at its median. Compare only lines of equal promise. " + bandsOf(lines),
	}
	d.Notes = missingNote(missing, "no throughput above zero, which a log axis cannot show")
	bounds := positive(f.Limits)
	scale, ok := logScale(append(values(lines), boundValues(bounds)...))
	if !ok {
		d.Notes = append(d.Notes, "Nothing to draw: no cell has a throughput above zero.")
		return d
	}
	if len(bounds) > 0 {
		d.Read += " Dotted across: what one goroutine does alone with less, measured in the same run."
	}
	if len(sheet.LevelsOf(f.Summaries)) == 1 {
		d.Title = "Operations a second, log axis"
		d.Read = "One bar a variant, from the left edge to its median; whiskers are 95 % intervals. Compare only variants of equal promise." + strings.Replace(belowNames(f), "Below", "Behind", 1)
		return d.both(func(g geometry) picture { return rateBars(g, f, scale) })
	}
	if withLaws(f, lines) {
		d.Read += " Dashed: the law of contention and coherency that a variant follows."
	}
	return d.overN(f, lines, bounds, axes{levels: sheet.LevelsOf(f.Summaries), y: scale, tick: tickOf(q.write), rule: noRule()})
}

// overN draws lines over the levels of N, in as many panels as they need.
func (d Drawing) overN(f sheet.Sheet, lines []series, bounds []results.Bound, a axes) Drawing {
	panels := split(f, lines, !crowded(lines))
	for i := range panels {
		panels[i].bounds = bounds
	}
	if len(panels) == 1 && a.over == "" {
		panels[0].series = promised(f, panels[0].series)
		d.Read += belowNames(f)
	}
	a.bands = true
	return d.both(func(g geometry) picture {
		a.height = plotHeight(g, panels)
		return lineFigure(g, a, panels)
	})
}

// positive are the bounds that a log axis can show.
func positive(limits []results.Bound) []results.Bound {
	return slices.DeleteFunc(slices.Clone(limits), func(b results.Bound) bool {
		return !b.OpsPerS.Median.Known() || b.OpsPerS.Median <= 0
	})
}

func boundValues(bounds []results.Bound) []float64 {
	var all []float64
	for _, b := range bounds {
		all = append(all, float64(b.OpsPerS.Median))
	}
	return all
}

// PercentOfSerial is the second: what became of the speed of one goroutine.
func PercentOfSerial(f sheet.Sheet) Drawing {
	q := quantity{"percent of serial rate", func(s results.Summary) results.Interval { return s.PercentSerial }, results.Number.Percent}
	lines, missing := seriesOf(f, q, true)
	d := Drawing{
		Name:       "percent-of-serial",
		experiment: f.Experiment.Name,
		Title:      "Percent of serial rate over goroutines N",
		Read:       "100 % is what the variant's own single goroutine reaches; a level line means more goroutines bring nothing. Paired within blocks. " + bandsOf(lines),
	}
	d.Notes = missingNote(missing, "no percent of serial rate; it needs trials at N = 1 with operations in them")
	all := append(values(lines), 100)
	y, ok := linearScale(all)
	if low, high := slices.Min(all), slices.Max(all); low > 0 && high > 20*low && high > 1000 {
		y, ok = logScale(all)
	}
	levels := levelsOf(lines)
	if !ok || len(levels) < 2 {
		d.Notes = append(d.Notes, "Nothing to draw: no cell of more goroutines has a percent of serial rate.")
		return d
	}
	return d.overN(f, lines, nil, axes{levels: levels, y: y, tick: results.Number.Percent, rule: 100})
}

// Latencies shows mean, median and tail of an operation's own time.
func Latencies(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "latency",
		experiment: f.Experiment.Name,
		Title:      "Latency of an operation over goroutines N, log axes",
		Read:       "The mean is exact; p50 and p99 are read from the merged histogram of all trials. A mean far above p50 means that a few operations wait long. Panels share their axis; what each variant promises stands in the first figure and in the table.",
	}
	point := func(get func(results.Summary) results.Number) func(results.Summary) results.Interval {
		return func(s results.Summary) results.Interval {
			return results.Interval{Median: get(s), Low: results.Missing(), High: results.Missing()}
		}
	}
	var all []float64
	var rows [][]panel
	for _, q := range []quantity{
		{"mean", func(s results.Summary) results.Interval { return s.MeanNS }, results.Number.Nanoseconds},
		{"p50", point(func(s results.Summary) results.Number { return s.P50NS }), results.Number.Nanoseconds},
		{"p99", point(func(s results.Summary) results.Number { return s.P99NS }), results.Number.Nanoseconds},
	} {
		lines, missing := seriesOf(f, q, false)
		d.Notes = append(d.Notes, missingNote(missing, "no "+q.name+" above zero that the samples carry")...)
		all = append(all, values(lines)...)
		panels := split(f, lines, true)
		for i := range panels {
			panels[i].title = strings.TrimSuffix(q.name+", "+panels[i].title, ", ")
		}
		rows = append(rows, panels)
	}
	y, ok := logScale(all)
	if !ok {
		return d
	}
	panels := transposed(rows)
	return d.both(func(g geometry) picture {
		return lineFigure(g, axes{levels: sheet.LevelsOf(f.Summaries), y: y, tick: tickOf(results.Number.Nanoseconds), rule: noRule(), height: plotHeight(g, panels)}, panels)
	})
}

// transposed takes the first panel of each row, then the second of each.
func transposed(rows [][]panel) []panel {
	var all []panel
	for i, some := 0, true; some; i++ {
		some = false
		for _, row := range rows {
			if i < len(row) {
				all, some = append(all, row[i]), true
			}
		}
	}
	return all
}

func plotHeight(g geometry, panels []panel) float64 {
	switch {
	case g.columns == 1 && len(panels) == 1:
		return 300
	case g.columns == 1:
		return 210
	case len(panels) == 1:
		return 380
	}
	return 250
}

// bandsOf says what the light bands are, or why there are none.
func bandsOf(lines []series) string {
	bounded, without := 0, 0
	for _, l := range lines {
		for _, p := range l.points {
			if p.y.Bounded() {
				bounded++
			} else {
				without++
			}
		}
	}
	switch {
	case bounded == 0:
		return "No interval is drawn: there are too few trials to carry one."
	case without > 0:
		return "Bands are 95 % intervals; cells with too few trials have none."
	}
	return "Bands are 95 % intervals."
}

func missingNote(missing []string, why string) []string {
	if len(missing) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Not drawn, %s: %s.", why, strings.Join(missing, "; "))}
}
