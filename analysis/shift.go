package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// What two runs differ in as a whole, another hour or neighbour, is in the interval of neither: on a
// shared machine of two processors fourteen runs of one program lay 5 % apart, all variants together, and
// one of them a fifth behind in all that was flushed. It shows in what the other variants did, and in the limits
// that were measured along. What these changed as well is no change of a variant; but a change
// of what all of them share looks the same, so that it is taken off up to a quarter only. Where the
// two took turns there is no such difference.
const (
	leastOthers = 3    // variants that tell what others did
	mostShift   = 1.25 // neighbours have made no more
	someShift   = 1.02 // that is worth words
)

// shifts are how many times as much what is measured did in the newer run.
type shifts struct {
	variants map[variantKey]float64 // geometric means over their cells
	limits   []limit                // measured along
}

type limit struct {
	compared
	certain float64 // by how much it certainly changed
}

type variantKey struct{ experiment, variant string }

func keyOf(c results.Change) variantKey { return variantKey{c.Experiment, c.Variant} }

// tookTurns reports that the trials of two runs took turns: what changed the machine changed both.
func tookTurns(older, newer *results.Run) bool {
	of := func(run *results.Run) string {
		if len(run.Envs) != 1 {
			return ""
		}
		return run.Envs[0].Settings.Turns
	}
	return of(older) != "" && of(older) == of(newer)
}

// shiftsBetween are those of cells of two runs.
func shiftsBetween(older, newer *results.Run, all []compared) shifts {
	if tookTurns(older, newer) {
		return shifts{}
	}
	return shiftsOf(all)
}

func shiftsOf(all []compared) shifts {
	s := shifts{variants: map[variantKey]float64{}}
	ratios := map[variantKey][]float64{}
	for _, c := range all {
		switch {
		case !told(c.change):
		case c.change.Along:
			ratio := stats.RatioInterval(each(c.newer.trials, keptPerS), each(c.older.trials, keptPerS), Confidence)
			s.limits = append(s.limits, limit{c, nearestOne(ratio)})
		default:
			ratios[keyOf(c.change)] = append(ratios[keyOf(c.change)], float64(c.change.Ratio.Median))
		}
	}
	for key, of := range ratios {
		s.variants[key] = stats.Geomean(of)
	}
	return s
}

// others is what three of four of the variants but one changed at least; 1 of too few, and where they
// are not of one mind.
func (s shifts) others(but variantKey) float64 {
	var all []float64
	for key, ratio := range s.variants {
		if key != but && ratio > 0 {
			all = append(all, ratio)
		}
	}
	if len(all) < leastOthers {
		return 1
	}
	slices.Sort(all)
	few := len(all) / 4
	return nearestOne(stats.Interval{Low: all[few], High: all[len(all)-1-few]})
}

// of are the least and the most that a cell's change may be of the machine: 1, what the others did,
// and the limits that survive what its variant does.
func (s shifts) of(c compared) (least, most float64) {
	all := []float64{1, s.others(keyOf(c.change))}
	for _, limit := range s.limits {
		if survives(limit.compared) == survives(c) {
			all = append(all, limit.certain)
		}
	}
	return max(slices.Min(all), 1/mostShift), min(slices.Max(all), mostShift)
}

// nearestOne is what an interval holds nearest to 1: of a limit that scatters itself, what it changed for certain.
func nearestOne(i stats.Interval) float64 { return max(i.Low, min(i.High, 1)) }

func survives(c compared) string {
	return c.newer.run.Experiment(c.change.Experiment).Variant(c.change.Variant).Promise.Survives
}

// widen makes a ratio as wide as it may be of the machine.
func (s shifts) widen(ratio results.Interval, c compared) results.Interval {
	least, most := s.of(c)
	ratio.Low, ratio.High = ratio.Low/results.Number(most), ratio.High/results.Number(least)
	return ratio
}

// warning says what the machine, or what all share, may have changed.
func (s shifts) warning() []results.Warning {
	var parts []string
	notable := func(ratio float64) bool { return math.Abs(math.Log(ratio)) > math.Log(someShift) }
	if others := s.others(variantKey{}); notable(others) && len(s.variants) > leastOthers { // each has enough others
		bound := "or less"
		if others > 1 {
			bound = "or more"
		}
		parts = append(parts, fmt.Sprintf("three of four variants did %s× as much %s", results.Number(others).Three(), bound))
	}
	for _, limit := range s.limits {
		if ratio := limit.change.Ratio.Median; notable(float64(ratio)) {
			parts = append(parts, fmt.Sprintf("%s did %s× as much", limit.change.Cell().Name(), ratio.Three()))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	slices.Sort(parts)
	return []results.Warning{{Code: results.WarnShift, Text: "between the runs the machine changed, or what all variants share: " + listed(parts) +
		"; what the others changed as well, or the limits of its kind, up to a quarter, is called of no variant"}}
}
