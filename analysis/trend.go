package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// A trend is what a variant gains or loses from one goroutine to the highest N.
type trend struct {
	*series
	sum results.Summary // at the highest N
	is  string
}

// trends are those of the variants whose serial rate is known, the highest
// first.
func (s setting) trends(summaries []results.Summary) []trend {
	n := s.highest()
	if n == 1 {
		return nil
	}
	var all []trend
	for _, g := range s.allSeries {
		if sum, ok := summaryOf(summaries, g, n); ok && sum.PercentSerial.Median.Known() {
			is := against(sum.PercentSerial)
			if idle(g.at(n)) {
				is = unsure
			}
			all = append(all, trend{g, sum, is})
		}
	}
	slices.SortStableFunc(all, func(a, b trend) int {
		return cmp.Compare(b.sum.PercentSerial.Median, a.sum.PercentSerial.Median)
	})
	return all
}

// scaling says which variants gain and which lose from one goroutine to the
// highest N, by their percent of serial rate, and where those that do not gain
// spend their time.
func (s setting) scaling(summaries []results.Summary, windows []results.Explanation) string {
	all := s.trends(summaries)
	var parts []string
	for _, way := range []struct{ is, one, many string }{
		{above, "gains", "gain"}, {near, "holds its rate", "hold their rate"}, {below, "loses", "lose"},
		{unsure, "one cannot tell", "one cannot tell"},
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(t trend) bool { return t.is != way.is })
		verb := way.many
		if len(found) == 1 {
			verb = way.one
		}
		if len(found) > 0 {
			text := trendNames(found) + " " + verb
			if way.is == unsure {
				text = "of " + unsureNames(found) + " " + verb
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := fmt.Sprintf("From 1 to %s, %s", goroutines(s.highest()), joined(parts...))
	if s.factors != "" {
		text += " (with " + s.factors + ")"
	}
	if where := byLine(all, windows); where != "" {
		return text + "." + where
	}
	return text + "." + because(all)
}

func trendNames(all []trend) string {
	var names []string
	for _, t := range all {
		text := timesWithin(t.sum.PercentSerial)
		if lost := t.lost(); lost != "" {
			text += "; " + lost
		}
		names = append(names, fmt.Sprintf("%s (%s)", t.variant.Name, text))
	}
	return capped(names)
}

// timesWithin writes a percentage of the serial rate as a factor with its interval.
func timesWithin(percent results.Interval) string {
	text := (percent.Median / 100).Three() + "×"
	if percent.Bounded() {
		text += ", " + (percent.Low / 100).Three() + "–" + (percent.High / 100).Three()
	}
	return text
}

// lost says what the variant loses at its lowest and its highest N, where that differs.
func (t trend) lost() string {
	one, many := t.at(1), t.at(t.sum.Goroutines)
	if !losesUnlike(one, many) {
		return ""
	}
	return fmt.Sprintf("%s: %s at 1, %s at %d", gone(one, many), lostText(one), lostText(many), t.sum.Goroutines)
}

// unsureNames adds what they lost to those whose losses are why one cannot tell.
func unsureNames(all []trend) string {
	var names []string
	for _, t := range all {
		name := t.variant.Name
		if lost := t.lost(); lost != "" {
			name += " (" + lost + ")"
		}
		names = append(names, name)
	}
	return capped(names)
}

// mostly is the share of goroutine time from which a cause is named: half of it, although
// shares can be inexact.
const mostly = 0.5 + inexact

// because names the cause that most of those who do not gain have in common. With more
// goroutines than processors most of them wait for one whatever they do: that is no
// cause then.
func because(all []trend) string {
	text, most := "", 0
	for _, cause := range []struct {
		get  func(results.Summary) results.Number
		text string
	}{
		{lock, "parked at a lock"},
		{scheduler, "waiting for a processor"},
		{results.Summary.Blocked, "waiting for neither a mutex nor a processor (a system call, the disk, a channel, a condition, sleep)"},
	} {
		var parts []string
		for _, t := range all {
			if share := cause.get(t.sum); (t.is == near || t.is == below) && share.Known() && share >= mostly {
				parts = append(parts, fmt.Sprintf("%s %s", t.variant.Name, (share*100).Percent()))
			}
		}
		if len(parts) > most {
			text, most = fmt.Sprintf(" Of those that do not gain, %s most of the time: %s.", cause.text, listed(parts)), len(parts)
		}
	}
	return text
}

// byLine names the largest loss of each of those who do not gain, where a window that was
// looked into tells shares, and one line has half of the time.
func byLine(all []trend, windows []results.Explanation) string {
	var parts []string
	for _, t := range all {
		i := slices.IndexFunc(windows, func(e results.Explanation) bool {
			return e.Shares && e.Variant == t.variant.Name && e.Goroutines == t.sum.Goroutines && results.FactorKey(e.Factors) == t.key
		})
		if i < 0 || t.is != near && t.is != below {
			continue
		}
		for _, p := range windows[i].Parts {
			if len(p.Places) == 0 || p.Kind == results.TimeRunning {
				continue
			}
			if share := float64(p.Places[0].NS) / float64(windows[i].TimeNS); share >= 0.5 {
				parts = append(parts, fmt.Sprintf("%s was %s for %.0f %% of the time, at %s", t.variant.Name, p.Kind, 100*share, p.Places[0].Where))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " Of those that do not gain, " + joined(parts...) + "."
}

// lock is the share of waiting at locks where it can only be that of the N goroutines.
func lock(s results.Summary) results.Number {
	if s.Cause.Shared {
		return results.Missing()
	}
	return s.Cause.Lock
}

// scheduler is the share of waiting for a processor where every goroutine could have one.
func scheduler(s results.Summary) results.Number {
	if slices.ContainsFunc(s.Warnings, func(w results.Warning) bool { return w.Code == results.WarnProcessors }) {
		return results.Missing()
	}
	return s.Cause.Scheduler
}

const (
	above  = "above it"
	near   = "within 10 % of it"
	below  = "below it"
	unsure = "cannot tell"
)

// against places an interval of percent of serial rate. It cannot tell only
// where the interval holds 100 % and is not close around it.
func against(p results.Interval) string {
	switch {
	case !p.Bounded():
		return unsure
	case p.Low > 105:
		return above
	case p.High < 95:
		return below
	case p.Low >= 90 && p.High <= 110:
		return near
	case p.Low > 100:
		return above
	case p.High < 100:
		return below
	}
	return unsure
}

func summaryOf(summaries []results.Summary, g *series, n int) (results.Summary, bool) {
	for _, s := range summaries {
		if s.Variant == g.variant.Name && results.FactorKey(s.Factors) == g.key && s.Goroutines == n {
			return s, true
		}
	}
	return results.Summary{}, false
}
