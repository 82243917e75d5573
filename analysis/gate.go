package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// GateChanges holds every variant of the old run to a largest drop of throughput, as a share
// (0.05 is 5 %). One with several levels of N passes only if the whole interval of all of them
// together lies within it and none of them alone looks slower than that; it fails only if it is
// called worse and the whole of the interval lies beyond, or that of one of its cells at the level of so many.
// Anything else is inconclusive. A cell that is doubted, or is the only one of its variant, is held to it
// alone, and one that the new run lacks is inconclusive, also where an error ended it in both.
// Nothing fails that is not called worse. What was measured along, as a limit of another
// experiment, is held to nothing: nobody asked for it.
func GateChanges(c *results.Comparison, drop float64) []results.Gate {
	var gates []results.Gate
	for _, p := range c.Pooled {
		status, text := gatePooled(p, cellsOf(p, c.Changes), drop)
		gates = append(gates, results.Gate{Threshold: atMost(p.Name(), drop), Status: status, Text: text})
	}
	for _, change := range c.Changes {
		if change.Along || partOfPool(change, c.Pooled) {
			continue
		}
		status, text := gate(change, drop)
		gates = append(gates, results.Gate{Threshold: atMost(change.Cell().Name(), drop), Status: status, Text: text})
	}
	for _, cell := range c.Lost {
		gates = append(gates, results.Gate{Threshold: atMost(cell, drop), Status: results.GateUnseen, Text: noTrial})
	}
	return gates
}

// cellsOf are those that a variant's levels are pooled from.
func cellsOf(p results.Pooled, changes []results.Change) []results.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c results.Change) bool { return !partOfPool(c, []results.Pooled{p}) })
}

func partOfPool(c results.Change, all []results.Pooled) bool {
	return slices.ContainsFunc(all, func(p results.Pooled) bool {
		return p.Cell().SameSeries(c.Cell()) && slices.Contains(p.Levels, c.Goroutines)
	})
}

// gatePooled decides about a variant by all of its cells, and by each.
func gatePooled(p results.Pooled, cells []results.Change, drop float64) (status, text string) {
	for _, c := range cells {
		if surelySlower(c, drop) && !slower(p.Change, drop) {
			status, text = gate(c, drop)
			return status, fmt.Sprintf("at N = %d %s", c.Goroutines, text)
		}
	}
	if status, text = gate(p.Change, drop); status != results.GatePassed {
		return status, text
	}
	for _, c := range cells {
		if looksSlower(c, drop) {
			return results.GateUnseen, fmt.Sprintf("%s, but at N = %d alone %s", text, c.Goroutines, ratioText(c.Ratio))
		}
	}
	return status, text
}

// Chosen tells a comparison what the newer run was to measure. Other cells of the
// older run are not lost to it: nobody asked for them.
func Chosen(c *results.Comparison, cells []results.Cell) {
	var names []string
	for _, cell := range cells {
		names = append(names, cell.Name())
	}
	var lost []string
	for _, cell := range c.Lost {
		if slices.Contains(names, cell) {
			lost = append(lost, cell)
			continue
		}
		c.Unasked = append(c.Unasked, cell)
		c.Only = slices.DeleteFunc(c.Only, func(text string) bool { return text == onlyOld(cell) })
	}
	c.Lost = lost
}

// DoubtOrder has no gate pass whose comparison may be turned round: of arguments that were exchanged what got slower
// seems faster.
func DoubtOrder(c *results.Comparison, gates []results.Gate) {
	for _, w := range c.Warnings {
		for i := range gates {
			if g := &gates[i]; w.Code == results.WarnOrder && g.Status == results.GatePassed {
				g.Status, g.Text = results.GateUnseen, g.Text+", but "+w.Text
			}
		}
	}
}

const noTrial = "not both runs have a trial of it"

func onlyOld(cell string) string { return cell + " is in the old run only" }

func atMost(cell string, drop float64) string {
	return fmt.Sprintf("%s: at most %s slower", cell, percentAsGiven(drop))
}

func gate(c results.Change, drop float64) (status, text string) {
	switch {
	case c.Doubt != "":
		return results.GateUnseen, c.Doubt
	case !c.Ratio.Bounded():
		return results.GateUnseen, "too few trials for an interval"
	case slower(c, drop):
		return results.GateFailed, fmt.Sprintf("slower by %s, at least %s", percent(1-float64(c.Ratio.Median), drop), percent(1-float64(c.Ratio.High), drop))
	case holds(c, drop):
		return results.GatePassed, "ratio " + ratioText(c.Ratio)
	case seemsSlower(c, drop):
		return results.GateUnseen, fmt.Sprintf("ratio %s: slower for itself, but one of so many cells can be by chance", ratioText(c.Ratio))
	case float64(c.Ratio.High) < 1-drop:
		return results.GateUnseen, fmt.Sprintf("ratio %s: not certainly beyond the %s that code layout alone can make", ratioText(c.Ratio), percent(float64(c.Margin)))
	}
	return results.GateUnseen, fmt.Sprintf("ratio %s: a drop of up to %s is not ruled out", ratioText(c.Ratio), c.LeastText())
}

func ratioText(i results.Interval) string {
	return fmt.Sprintf("%s (%s–%s)", i.Median.Three(), i.Low.Three(), i.High.Three())
}

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

// GateSpeedup holds the cells it names to the threshold. One that is missing, of a
// variant that was measured at other levels, is inconclusive. Naming nothing of
// the report is an error.
func GateSpeedup(r *results.Report, s Speedup) ([]results.Gate, error) {
	var gates []results.Gate
	for _, f := range r.Findings {
		for _, sum := range f.Summaries {
			if s.names(sum.Cell()) {
				doubt := mixed(r.Envs, seriesOf(f, sum.Cell()))
				gates = append(gates, s.gate(sum, cmp.Or(doubt, spoilt(f, sum))))
			}
		}
		for _, cell := range s.missing(f) {
			gates = append(gates, results.Gate{Threshold: s.threshold(cell), Status: results.GateUnseen, Text: "the run has no trial of it"})
		}
	}
	if len(gates) == 0 {
		return nil, fmt.Errorf("no results of %s", s.Cell)
	}
	return gates, nil
}

// missing are the cells that are meant and have no trial, though others of the
// experiment were measured at as many goroutines or at those levels of the same
// factors, or an error ended them there.
func (s Speedup) missing(f results.Finding) []results.Cell {
	var measured, known, all []results.Cell
	levels, keys := map[int]bool{}, map[string][]string{} // levels of factors, by the factors' names
	for _, sum := range f.Summaries {
		measured = append(measured, sum.Cell())
		levels[sum.Goroutines] = true
		of, key := factorNames(sum.Factors), results.FactorKey(sum.Factors)
		if !slices.Contains(keys[of], key) {
			keys[of] = append(keys[of], key)
		}
	}
	for _, sum := range f.Summaries {
		known = append(known, at(sum.Cell(), keys[factorNames(sum.Factors)])...)
	}
	for _, o := range f.Errors() {
		levels[o.Goroutines] = true
		known = append(known, o.Cell())
		known = append(known, at(o.Cell(), keys[factorNames(o.Factors)])...)
	}
	for _, cell := range known {
		for n := range levels {
			if cell.Goroutines = n; s.names(cell) && !slices.Contains(measured, cell) && !slices.Contains(all, cell) {
				all = append(all, cell)
			}
		}
	}
	slices.SortFunc(all, func(a, b results.Cell) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// at is a cell at other levels of its factors.
func at(cell results.Cell, keys []string) []results.Cell {
	var all []results.Cell
	for _, cell.Factors = range keys {
		all = append(all, cell)
	}
	return all
}

// factorNames are the names without the levels: variants of one experiment can have
// factors of their own.
func factorNames(factors map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(factors)), ",")
}

func (s Speedup) threshold(c results.Cell) string {
	return fmt.Sprintf("%s: at least %s times N = 1", c.Name(), asGiven(s.Times, three(s.Times)))
}

// names reports whether the cell is meant; without factors all their levels
// are.
func (s Speedup) names(c results.Cell) bool {
	bare := c
	bare.Factors = ""
	return s.Cell == c.Name() || s.Cell == bare.Name()
}

// spoilt says why a cell, or the same at N = 1, is no figure to hold anything to;
// empty if nothing speaks against it.
func spoilt(f results.Finding, sum results.Summary) string {
	if sum.Open != nil {
		return openRate
	}
	for _, other := range f.Summaries {
		if !other.Cell().SameSeries(sum.Cell()) || other.Goroutines != 1 && other.Goroutines != sum.Goroutines {
			continue
		}
		for _, w := range other.Warnings {
			switch w.Code {
			case results.WarnDisturbed, results.WarnThrottled, results.WarnStuck, results.WarnLeft, results.WarnEnded, results.WarnEmpty, results.WarnSlowStart, results.WarnKept, results.WarnFewCycles, results.WarnSpent, results.WarnFailed:
				return fmt.Sprintf("%s: %s", other.Cell().Name(), w.Text)
			}
		}
	}
	alone := sum.Cell()
	alone.Goroutines = 1
	if one, many := trialsOf(f, alone), trialsOf(f, sum.Cell()); losesUnlike(one, many) {
		return fmt.Sprintf("%s: %s, and %s at N = 1; the rates are not of the same work", gone(one, many), lostText(many), lostText(one))
	}
	return ""
}

func trialsOf(f results.Finding, cell results.Cell) []results.Trial {
	return slices.DeleteFunc(slices.Clone(f.Trials), func(t results.Trial) bool { return t.Cell() != cell })
}

// seriesOf are the trials of a variant at every N.
func seriesOf(f results.Finding, cell results.Cell) []results.Trial {
	return slices.DeleteFunc(slices.Clone(f.Trials), func(t results.Trial) bool { return !t.Cell().SameSeries(cell) })
}

func (s Speedup) gate(sum results.Summary, doubt string) results.Gate {
	p := sum.PercentSerial
	g := results.Gate{Threshold: s.threshold(sum.Cell()), Status: results.GatePassed}
	times := func(percent results.Number) string { return threeOnItsSide(float64(percent/100), s.Times) }
	measured := fmt.Sprintf("%s (%s to %s)", times(p.Median), times(p.Low), times(p.High))
	switch {
	case doubt != "":
		g.Status, g.Text = results.GateUnseen, doubt
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
