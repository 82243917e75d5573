package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A quantity is a figure's vertical axis: what is taken from a cell, and how it
// is written.
type quantity struct {
	name  string
	get   func(results.Summary) results.Interval
	write func(results.Number) string
}

// linesOf makes a line of every variant that has a value the axis can show,
// and names the cells that have none.
func seriesOf(f sheet.Sheet, q quantity, zero bool) (lines []series, missing []string) {
	for i, name := range f.Series {
		l := series{name: name, look: i}
		var without []int
		for _, s := range f.Summaries {
			if f.Label(s) != name {
				continue
			}
			if v := q.get(s); v.Median.Known() && (v.Median > 0 || zero) {
				l.points = append(l.points, point{s.Goroutines, v, pointTitle(name, s.Goroutines, q, v)})
			} else {
				without = append(without, s.Goroutines)
			}
		}
		if len(without) > 0 {
			missing = append(missing, name+" at N = "+sheet.Numbers(without))
		}
		if len(l.points) > 0 {
			lines = append(lines, l)
		}
	}
	return lines, missing
}

func pointTitle(name string, n int, q quantity, v results.Interval) string {
	text := fmt.Sprintf("%s, N = %d: %s %s", name, n, q.name, q.write(v.Median))
	if v.Bounded() {
		text += " (" + sheet.Span(v, q.write) + ")"
	}
	return text
}

// values are all medians and bounds of the lines.
func values(lines []series) []float64 {
	var all []float64
	for _, l := range lines {
		for _, p := range l.points {
			all = append(all, float64(p.y.Median))
			if p.y.Bounded() {
				all = append(all, float64(p.y.Low), float64(p.y.High))
			}
		}
	}
	return all
}

// levelsOf are the levels of N at which a line has a point.
func levelsOf(lines []series) []int {
	var all []int
	for _, l := range lines {
		for _, p := range l.points {
			all = append(all, p.n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Limits of what one set of axes can show.
const (
	mostLines   = 10
	chunk       = 8
	mostOverlap = 0.3 // of all pairs of intervals at one N
)

// split puts all lines into one panel if they can be told apart there, or else
// one panel a promise, each of few lines.
func split(f sheet.Sheet, lines []series, together bool) []panel {
	if len(lines) == 0 {
		return nil
	}
	if together && len(lines) <= mostLines {
		return []panel{{series: lines}}
	}
	var panels []panel
	for _, p := range sheet.PromisesOf(f) {
		var kept []series
		for _, l := range lines {
			if sheet.PromiseOf(f, l.label()) == p {
				kept = append(kept, l)
			}
		}
		panels = append(panels, chunks(sheet.PromiseTitle(f, p), kept)...)
	}
	if len(panels) == 1 {
		panels[0].title = ""
	}
	return panels
}

// promised writes below each line's name what differs in its promise.
func promised(f sheet.Sheet, lines []series) []series {
	all := slices.Clone(lines)
	for i := range all {
		all[i].below = strings.Join(sheet.Differing(f, sheet.PromiseOf(f, all[i].label())), ", ")
	}
	return all
}

func chunks(title string, lines []series) []panel {
	if len(lines) <= mostLines {
		if len(lines) == 0 {
			return nil
		}
		return []panel{{title: title, series: lines}}
	}
	var panels []panel
	count := (len(lines) + chunk - 1) / chunk
	for part := range slices.Chunk(lines, chunk) {
		panels = append(panels, panel{
			title:  strings.TrimPrefix(fmt.Sprintf("%s, %d of %d", title, len(panels)+1, count), ", "),
			series: part,
		})
	}
	return panels
}

// crowded reports whether intervals lie over one another too much to be seen.
func crowded(lines []series) bool {
	pairs, over := 0, 0
	for i, a := range lines {
		for _, b := range lines[i+1:] {
			for _, p := range a.points {
				for _, q := range b.points {
					if p.n != q.n || !p.y.Bounded() || !q.y.Bounded() {
						continue
					}
					pairs++
					if p.y.Low <= q.y.High && q.y.Low <= p.y.High {
						over++
					}
				}
			}
		}
	}
	return float64(over) > mostOverlap*float64(pairs)
}

// belowNames says what stands below the names of a panel that mixes promises.
func belowNames(f sheet.Sheet) string {
	var names []string
	for _, word := range sheet.PromiseWords {
		if len(sheet.Distinct(f.Summaries, word.Get)) > 1 {
			names = append(names, word.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " Below each name: its promise (" + strings.Join(names, ", ") + ")."
}

func tickOf(write func(results.Number) string) func(results.Number) string {
	return func(n results.Number) string { return short(write(n)) }
}

func noRule() float64 { return math.NaN() }
