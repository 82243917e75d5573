package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A tickQuantity is what a chart over time takes from a stretch.
type tickQuantity struct {
	name  string
	get   func(results.Tick) results.Number
	write func(results.Number) string
}

// OverTime are the charts of what went on second by second: none where that was not
// counted. Panels are one number of users and one level of each factor.
func OverTime(f sheet.Sheet) []Drawing {
	rate := tickQuantity{f.Experiment.Unit + "s/s", func(t results.Tick) results.Number { return t.OpsPerS }, results.Number.Rate}
	p50 := tickQuantity{"p50", func(t results.Tick) results.Number { return t.P50NS }, results.Number.Nanoseconds}
	p95 := tickQuantity{"p95", func(t results.Tick) results.Number { return t.P95NS }, results.Number.Nanoseconds}
	users := tickQuantity{"users", func(t results.Tick) results.Number { return t.Users }, results.Number.Three}
	return []Drawing{
		overTime(f, "requests-over-time", "Answers a second over time", "Medians over the trials, of each second of the window.", rate),
		overTime(f, "percentiles-over-time", "Latency of each second: p50 and p95", "Medians over the trials. A second that holds too few requests for a percentile has none.", p50, p95),
		overTime(f, "users-over-time", "Users at work over time", "As what asks tells it.", users),
	}
}

func overTime(f sheet.Sheet, name, title, read string, quantities ...tickQuantity) Drawing {
	d := Drawing{Name: name, experiment: f.Experiment.Name, Title: title, Read: read}
	var panels []panel
	for _, c := range conditionsOf(f) {
		for _, q := range quantities {
			title := c.title
			if len(quantities) > 1 {
				title = strings.TrimPrefix(title+", "+q.name, ", ")
			}
			if lines := c.lines(q); len(lines) > 0 {
				panels = append(panels, panel{title: title, series: lines})
			}
		}
	}
	var all []series
	for _, p := range panels {
		all = append(all, p.series...)
	}
	y, ok := logScale(values(all))
	if most := slices.Max(append(values(all), 0)); ok && most < 20*slices.Min(append(values(all), most)) {
		y, ok = linearScale(append(values(all), 0))
	}
	levels := levelsOf(all)
	if !ok || len(levels) < 2 {
		return d
	}
	write := quantities[0].write
	return d.both(func(g geometry) picture {
		return lineFigure(g, axes{levels: levels, y: y, tick: tickOf(write), rule: noRule(), over: "seconds", even: true, height: plotHeight(g, panels)}, panels)
	})
}

// A condition is a number of users and one level of each factor.
type condition struct {
	title     string
	summaries []results.Summary
	looks     []int
}

func conditionsOf(f sheet.Sheet) []condition {
	var all []condition
	several := len(sheet.LevelsOf(f.Summaries)) > 1
	for _, s := range f.Summaries {
		if len(s.Timeline) == 0 {
			continue
		}
		var words []string
		if several {
			words = append(words, fmt.Sprintf("N = %d", s.Goroutines))
		}
		for _, name := range f.Swept {
			words = append(words, name+" "+results.Printable(s.Factors[name]))
		}
		title := strings.Join(words, ", ")
		at := slices.IndexFunc(all, func(c condition) bool { return c.title == title })
		if at < 0 {
			at = len(all)
			all = append(all, condition{title: title})
		}
		look := slices.IndexFunc(f.Experiment.Variants, func(v results.Variant) bool { return v.Name == s.Variant })
		all[at].summaries, all[at].looks = append(all[at].summaries, s), append(all[at].looks, max(look, 0))
	}
	return all
}

// lines makes one of each variant, a point a second; what is missing or no more than 0 has
// none.
func (c condition) lines(q tickQuantity) []series {
	var all []series
	for i, s := range c.summaries {
		l := series{name: results.Printable(s.Variant), look: c.looks[i]}
		for _, t := range s.Timeline {
			if v := q.get(t); v.Known() && v > 0 {
				second := int(t.AtNS/1e9) + 1
				y := results.Interval{Median: v, Low: results.Missing(), High: results.Missing()}
				l.points = append(l.points, point{second, y, fmt.Sprintf("%s, second %d: %s %s", l.name, second, q.name, q.write(v))})
			}
		}
		if len(l.points) > 0 {
			all = append(all, l)
		}
	}
	return all
}
