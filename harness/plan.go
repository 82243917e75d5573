package harness

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A cell is what one trial measures.
type cell struct {
	experiment string
	variant    Variant
	factors    map[string]string
	goroutines int
}

// A series is the cells of one variant at one combination of factor levels:
// they share their number of operations, and fail together.
type series struct {
	*seriesState
	index      int // in the plan
	experiment string
	variant    Variant
	factors    map[string]string
	cells      []*planned
	window     time.Duration
	arrivals   Arrivals // of the open loop
	byTime     bool     // nothing is calibrated, and a closed loop ends by the clock
	perOp      float64  // seconds an operation, of the last probe
	probing    *planned // the cell whose probe is under way
}

// planned is a cell with what calibration found.
type planned struct {
	cell
	*cellState
	series   *series
	patience time.Duration
	byTime   bool // nothing of it was calibrated
	beside   bool // another process of this machine is part of what is measured
}

// name tells the series from the others of a run.
func (g *series) name() string {
	return g.experiment + "/" + g.variant.Name + "/" + results.FactorKey(g.factors)
}

// inside is how many seconds the window of a trial is expected to last.
func (p *planned) inside() float64 { return float64(p.Ops)/p.Rate + p.Startup }

// seconds is how long one trial of the cell is expected to take.
func (p *planned) seconds() float64 { return p.inside() + p.Outside + p.variant.Besides.Seconds() }

func (p *planned) name() results.Cell {
	return results.Cell{Experiment: p.experiment, Variant: p.variant.Name, Factors: results.FactorKey(p.factors), Goroutines: p.goroutines}
}

// plan lists the series of all experiments.
func plan(c Config, experiments []Experiment) ([]*series, error) {
	if err := knownFactors(c, experiments); err != nil {
		return nil, err
	}
	var allSeries []*series
	for _, e := range experiments {
		if err := e.Check(); err != nil {
			return nil, err
		}
		if err := first(c.checkTime(e), c.checkLevels(e)); err != nil {
			return nil, err
		}
		combinations, err := e.combinations(c.Levels)
		if err != nil {
			return nil, err
		}
		for _, v := range e.Variants {
			for _, factors := range combinations {
				allSeries = append(allSeries, newSeries(c, e, v, factors))
			}
		}
	}
	return allSeries, nil
}

// knownFactors refuses levels for a factor that no experiment has.
func knownFactors(c Config, experiments []Experiment) error {
	for _, name := range slices.Sorted(maps.Keys(c.Levels)) {
		known := slices.ContainsFunc(experiments, func(e Experiment) bool {
			return slices.ContainsFunc(e.Factors, func(f Factor) bool { return f.Name == name })
		})
		if !known {
			return fmt.Errorf("factor %s: no experiment of this run has it", name)
		}
	}
	return nil
}

func newSeries(c Config, e Experiment, v Variant, factors map[string]string) *series {
	g := &series{experiment: e.Name, variant: v, factors: factors, window: c.window(e), byTime: e.ByTime}
	if len(c.Rates) > 0 {
		g.arrivals, _ = ParseArrivals(factors[results.RateFactor] + "/s") // Check has read it
	}
	for _, n := range c.LevelsOf(e) {
		g.cells = append(g.cells, &planned{cell: cell{e.Name, v, factors, n}, series: g, patience: e.Patience, byTime: e.ByTime, beside: e.Beside})
	}
	return g
}

// combinations crosses the levels of all factors.
func (e Experiment) combinations(levels map[string][]string) ([]map[string]string, error) {
	combinations := []map[string]string{{}}
	for _, f := range e.Factors {
		chosen := levels[f.Name]
		if len(chosen) == 0 {
			chosen = f.Levels
		}
		if len(chosen) == 0 {
			chosen = []string{f.Default}
		}
		var next []map[string]string
		for i, level := range chosen {
			if slices.Contains(chosen[:i], level) {
				return nil, fmt.Errorf("factor %s: level %s named twice", f.Name, level)
			}
			if f.Check != nil {
				if err := f.Check(level); err != nil {
					return nil, fmt.Errorf("factor %s: %w", f.Name, err)
				}
			}
			for _, c := range combinations {
				c = maps.Clone(c)
				c[f.Name] = level
				next = append(next, c)
			}
		}
		combinations = next
	}
	return combinations, nil
}

// cells lists the cells of all series, those that have failed among them.
func cells(allSeries []*series) []*planned {
	var all []*planned
	for _, g := range allSeries {
		all = append(all, g.cells...)
	}
	return all
}

// shuffled is one block: every cell once, in random order.
func shuffled(all []*planned, random *rand.Rand) []*planned {
	block := slices.Clone(all)
	random.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
	return block
}
