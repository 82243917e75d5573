package analysis

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// GateChanges holds every cell to a largest drop of throughput, as a share
// (0.05 is 5 %). A cell fails only if the near end of its interval lies beyond
// it, and is inconclusive if its trials could not have shown such a drop.
func GateChanges(changes []results.Change, drop float64) []results.Gate {
	var gates []results.Gate
	for _, c := range changes {
		g := results.Gate{Threshold: fmt.Sprintf("%s: at most %s slower", c.Cell().Name(), percent(drop)), Status: results.GatePassed}
		switch {
		case !c.Ratio.Bounded():
			g.Status, g.Text = results.GateUnseen, "too few trials for an interval"
		case float64(c.Ratio.High) < 1-drop:
			g.Status, g.Text = results.GateFailed, fmt.Sprintf("slower by %s, at least %s", percent(1-float64(c.Ratio.Median)), percent(1-float64(c.Ratio.High)))
		case float64(c.Least) > drop:
			g.Status, g.Text = results.GateUnseen, fmt.Sprintf("only a drop of %s or more would have shown", percent(float64(c.Least)))
		default:
			g.Text = fmt.Sprintf("ratio %s", ratioText(c.Ratio))
		}
		gates = append(gates, g)
	}
	return gates
}

func ratioText(i results.Interval) string {
	return fmt.Sprintf("%s (%s–%s)", i.Median.Three(), i.Low.Three(), i.High.Three())
}

func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 1, 64) + " %" }

// A Speedup is a threshold on scaling: the throughput of a cell is at least so
// many times that of the same variant at N = 1.
type Speedup struct {
	Cell  string // log/file@8 or log/file/payload=3/reads=0@8
	Times float64
}

var speedup = regexp.MustCompile(`^([^@\s]+/[^@\s]+@[0-9]+)>=([0-9.]+)$`)

// ParseSpeedup reads "log/file@8>=1.5".
func ParseSpeedup(text string) (Speedup, error) {
	parts := speedup.FindStringSubmatch(text)
	if parts == nil {
		return Speedup{}, fmt.Errorf("%q is not EXPERIMENT/VARIANT@N>=TIMES", text)
	}
	times, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || times <= 0 {
		return Speedup{}, fmt.Errorf("%q: %q is not a number above 0", text, parts[2])
	}
	return Speedup{parts[1], times}, nil
}

// GateSpeedup holds the cells it names to the threshold. Naming none of the
// report's cells is an error.
func GateSpeedup(r *results.Report, s Speedup) ([]results.Gate, error) {
	var gates []results.Gate
	for _, f := range r.Findings {
		for _, sum := range f.Summaries {
			if s.names(sum.Cell()) {
				gates = append(gates, s.gate(sum))
			}
		}
	}
	if len(gates) == 0 {
		return nil, fmt.Errorf("no results of %s", s.Cell)
	}
	return gates, nil
}

// names reports whether the cell is meant; without factors all their levels
// are.
func (s Speedup) names(c results.Cell) bool {
	bare := c
	bare.Factors = ""
	return s.Cell == c.Name() || s.Cell == bare.Name()
}

func (s Speedup) gate(sum results.Summary) results.Gate {
	p := sum.PercentSerial
	g := results.Gate{Threshold: fmt.Sprintf("%s: at least %s times N = 1", sum.Cell().Name(), three(s.Times)), Status: results.GatePassed}
	measured := strings.NewReplacer("–", " to ").Replace(ratioText(results.Interval{Median: p.Median / 100, Low: p.Low / 100, High: p.High / 100}))
	switch {
	case !p.Bounded():
		g.Status, g.Text = results.GateUnseen, "no interval: N = 1 was not measured, or too few trials"
	case float64(p.High) < s.Times*100:
		g.Status, g.Text = results.GateFailed, "measured "+measured
	case float64(p.Low) < s.Times*100:
		g.Status, g.Text = results.GateUnseen, "measured "+measured
	default:
		g.Text = "measured " + measured
	}
	return g
}
