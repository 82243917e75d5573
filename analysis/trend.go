package analysis

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// trend says which variants gain and which lose from one goroutine to the
// highest N, by their percent of serial rate.
func (s setting) trend(summaries []results.Summary) []string {
	most := s.highest()
	if most == 1 {
		return nil
	}
	found := map[string][]string{}
	for _, g := range s.groups {
		if sum, ok := summaryOf(summaries, g, most); ok && sum.PercentSerial.Median.Known() {
			is := against(sum.PercentSerial)
			found[is] = append(found[is], fmt.Sprintf("%s (%s)", g.variant.Name, sum.PercentSerial.Median.Percent()))
		}
	}
	var parts []string
	for _, is := range []string{above, near, below, unsure} {
		if len(found[is]) > 0 {
			parts = append(parts, is+": "+strings.Join(found[is], ", "))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Against the serial rate, %s — %s.", s.at(most), strings.Join(parts, "; "))}
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

// asides are what else the highest N shows: acceptance that runs ahead of the
// work, and what a naive reading would have said.
func (s setting) asides(summaries []results.Summary) []string {
	var all []string
	n, naive, factor := s.highest(), "", 2.0
	for _, g := range s.groups {
		sum, ok := summaryOf(summaries, g, n)
		if !ok {
			continue
		}
		if sum.AcceptedPerS.Median.Known() {
			if finished := float64(sum.OpsPerS.Median); float64(sum.AcceptedPerS.Median) <= finished*(1+g.level(n).margin) {
				continue // it does not run ahead
			}
			all = append(all, fmt.Sprintf("%s accepted %s/s %s and finished %s/s; the finished rate is the one shown.",
				sum.Variant, sum.AcceptedPerS.Median.Rate(), s.at(n), sum.OpsPerS.Median.Rate()))
			continue
		}
		if times := sum.OpsPerS.Median / sum.Naive; times.Known() && float64(times) > factor {
			factor = float64(times)
			naive = fmt.Sprintf("Adding up the clients' latencies would have claimed %s/s for %s %s, %s times too little.",
				sum.Naive.Rate(), sum.Variant, s.at(n), times.Three())
		}
	}
	if naive != "" {
		all = append(all, naive)
	}
	return all
}
