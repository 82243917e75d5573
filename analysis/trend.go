package analysis

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// trend says which variants gain and which lose from the lowest to the highest
// N, by their percent of serial rate.
func trend(groups []*series, summaries []results.Summary) string {
	var gain, flat, lose, unsure []string
	most := highest(groups)
	for _, g := range groups {
		s, ok := summaryOf(summaries, g, most)
		if !ok || most == 1 || !s.PercentSerial.Median.Known() {
			continue
		}
		p := s.PercentSerial
		text := fmt.Sprintf("%s (%.0f %%)", g.variant.Name, float64(p.Median))
		switch {
		case p.Low > 105:
			gain = append(gain, text)
		case p.High < 95:
			lose = append(lose, text)
		case p.Low >= 90 && p.High <= 110:
			flat = append(flat, text)
		default:
			unsure = append(unsure, text)
		}
	}
	var parts []string
	for _, p := range []struct {
		names []string
		what  string
	}{{gain, "above it"}, {flat, "within 10 % of it"}, {lose, "below it"}, {unsure, "cannot tell"}} {
		if len(p.names) > 0 {
			parts = append(parts, p.what+": "+strings.Join(p.names, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Against the serial rate, at %s — %s.", goroutines(most), strings.Join(parts, "; "))
}

func summaryOf(summaries []results.Summary, g *series, n int) (results.Summary, bool) {
	for _, s := range summaries {
		if s.Variant == g.variant.Name && results.FactorKey(s.Factors) == g.key && s.Goroutines == n {
			return s, true
		}
	}
	return results.Summary{}, false
}

// asides are what else the run shows: acceptance that runs ahead of the work,
// and what a naive reading would have said.
func asides(groups []*series, summaries []results.Summary, n int) []string {
	var all []string
	worst, factor := "", 2.0
	for _, g := range groups {
		s, ok := summaryOf(summaries, g, n)
		if !ok {
			continue
		}
		if s.AcceptedPerS.Median.Known() {
			all = append(all, fmt.Sprintf("%s accepted %s/s at %s and finished %s/s; the finished rate is the one shown.",
				s.Variant, s.AcceptedPerS.Median.Rate(), goroutines(n), s.OpsPerS.Median.Rate()))
			continue
		}
		if times := float64(s.OpsPerS.Median / s.Naive); times > factor {
			factor = times
			worst = fmt.Sprintf("Adding up the clients' latencies would have claimed %s/s for %s at %s, %s times too little.",
				s.Naive.Rate(), s.Variant, goroutines(n), three(times))
		}
	}
	if worst != "" {
		all = append(all, worst)
	}
	return all
}
