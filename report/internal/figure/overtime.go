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
		overTime(f, "requests-over-time", "Answers a second over time", "Medians over the trials, of each stretch of the window but the last.", rate),
		overTime(f, "percentiles-over-time", "Latency over time: p50 and p95", "Medians over the trials. A stretch that holds too few requests for a percentile has none.", p50, p95),
		overTime(f, "users-over-time", "Users at work over time", "As what asks tells it.", users),
	}
}

func overTime(f sheet.Sheet, name, title, read string, quantities ...tickQuantity) Drawing {
	d := Drawing{Name: name, experiment: f.Experiment.Name, Title: title, Read: read}
	var panels []panel
	var all []series
	for _, c := range conditionsOf(f) {
		for _, q := range quantities {
			title := c.title
			if len(quantities) > 1 {
				title = strings.TrimPrefix(title+", "+q.name, ", ")
			}
			lines := c.lines(q)
			if y, ok := overTimeScale(values(lines)); ok {
				panels = append(panels, panel{title: title, own: &y, series: lines})
				all = append(all, lines...)
			}
		}
	}
	levels := levelsOf(all)
	if len(levels) < 2 {
		return d
	}
	if len(panels) > 1 {
		d.Read += " Each panel has a scale of its own, logarithmic where values differ twentyfold."
	}
	write := func(n results.Number) string {
		if n == 0 {
			return "0"
		}
		return quantities[0].write(n)
	}
	return d.both(func(g geometry) picture {
		return lineFigure(g, axes{levels: levels, tick: tickOf(write), rule: noRule(), over: "seconds", even: true, height: plotHeight(g, panels)}, panels)
	})
}

// overTimeScale is a linear one from 0 on, or a logarithmic one where values differ much and
// none is 0.
func overTimeScale(all []float64) (scale, bool) {
	if len(all) == 0 {
		return scale{}, false
	}
	if low, high := slices.Min(all), slices.Max(all); low > 0 && high > 20*low {
		return logScale(all)
	}
	return linearScale(append(all, 0))
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

// lines makes one of each variant, a point at the end of each stretch; what is missing has
// none.
func (c condition) lines(q tickQuantity) []series {
	var all []series
	for i, s := range c.summaries {
		l := series{name: results.Printable(s.Variant), look: c.looks[i]}
		for _, t := range s.Timeline {
			if v := q.get(t); v.Known() {
				second := int((t.AtNS + s.Timeline[min(1, len(s.Timeline)-1)].AtNS) / 1e9)
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
