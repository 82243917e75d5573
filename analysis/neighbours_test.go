package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// blocksOf is a run of cells whose rates a function gives, by cell and block.
func blocksOf(cells, blocks int, rate func(cell, block int) float64) *results.Run {
	run := &results.Run{Envs: []results.Env{{}}}
	for b := range blocks {
		for c := range cells {
			run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: c + 1, Block: b + 1, Ops: int(rate(c, b)), WallNS: 1e9})
		}
	}
	return run
}

// A run that drifts is told from one whose trials are autocorrelated, and both from one in which
// nothing depends on the order.
func TestNeighbouringBlocks(t *testing.T) {
	var random *rand.Rand
	noise := func() float64 { return math.Exp(0.02 * random.NormFloat64()) }
	last := map[int]float64{}
	for want, rate := range map[string]func(cell, block int) float64{
		"the run drifts: its rates changed by -": func(_, b int) float64 { return 1e6 * (1 - 0.02*float64(b)) * noise() },
		"autocorrelated, or each cell drifts its own way: trials of neighbouring blocks differ by ": func(c, _ int) float64 {
			last[c] = 0.9*last[c] + 0.44*random.NormFloat64()
			return 1e6 * math.Exp(0.1*last[c])
		},
		"": func(int, int) float64 { return 1e6 * noise() },
	} {
		random = rand.New(rand.NewPCG(3, 3))
		clear(last)
		all := neighbouring(blocksOf(20, 6, rate))
		switch {
		case want == "" && len(all) > 0:
			t.Errorf("what does not depend on the order: %v", all)
		case want != "" && (len(all) != 1 || all[0].Code != results.WarnInOrder || !strings.HasPrefix(all[0].Text, want)):
			t.Errorf("%v, want %s", all, want)
		}
	}
	rising := func(_, b int) float64 { return 1e6 * float64(b+1) }
	if all := neighbouring(blocksOf(20, 5, rising)); all != nil {
		t.Errorf("five blocks: %v", all)
	}
	open := blocksOf(20, 6, rising)
	for i := range open.Trials {
		open.Trials[i].Open = &results.Open{}
	}
	if all := neighbouring(open); all != nil {
		t.Errorf("the open loop's rates are asked for: %v", all)
	}
	if all := runWarnings(blocksOf(20, 6, rising)); len(all) != 2 || all[1].Code != results.WarnInOrder && all[0].Code != results.WarnInOrder { // and that it has no end
		t.Errorf("%v", all)
	}
}

// Where cells have unlike numbers of trials one with more does not silence the others, whenever they drift; nor
// does a last block in which few were reached. Nothing is made of what has no order.
func TestNeighbouringBlocksOfUnlikeCells(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		trials func(cell int) int
		drift  func(block int) float64
		called [2]int // of 100
	}{
		{func(cell int) int { return 13 + cell/8*7 }, func(b int) float64 { return -0.015 * float64(b) }, [2]int{100, 100}},
		{func(cell int) int { return 40 + cell/8*20 }, func(b int) float64 { return -0.007 * float64(max(0, b-13)) }, [2]int{95, 100}},
		{func(cell int) int { return 12 - min(1, cell) }, func(b int) float64 { return -0.015 * float64(b) }, [2]int{95, 100}},
		{func(cell int) int { return 13 + 7*cell }, func(int) float64 { return 0 }, [2]int{0, 3}},
	} {
		called := 0
		for range 100 {
			run := blocksOf(9, 69, func(cell, b int) float64 {
				if cell == 8 {
					return 1e6 * math.Exp(0.15*random.NormFloat64())
				}
				return 1e6 * math.Exp(c.drift(b)+0.01*random.NormFloat64())
			})
			run.Trials = slices.DeleteFunc(run.Trials, func(t results.Trial) bool { return t.Block > c.trials(t.Goroutines-1) })
			if len(neighbouring(run)) > 0 {
				called++
			}
		}
		if called < c.called[0] || called > c.called[1] {
			t.Errorf("trials %d to %d, drift %v in block 20: called in %d of 100", c.trials(0), c.trials(8), c.drift(20), called)
		}
	}
}

// What is named of an order: a true drift nearly always as such, what is autocorrelated hardly ever as
// a drift of the run, one block at an end as neither, and nothing of what hardly scatters.
func TestNamesOfOrders(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(9, 9))
	const cells, draws = 8, 150
	noise := func(off float64) float64 { return off * random.NormFloat64() }
	walks := func(keeps float64) func(int, int) float64 {
		last := make([]float64, cells)
		return func(c, _ int) float64 {
			last[c] = keeps*last[c] + noise(0.05)
			return math.Exp(last[c])
		}
	}
	for name, c := range map[string]struct {
		blocks         int
		rate           func() func(cell, block int) float64
		drifts, others [2]float64 // least and most shares of draws
	}{
		"a drift by a fifth": {12, func() func(int, int) float64 {
			return func(_, b int) float64 { return math.Exp(-0.2*float64(b)/11 + noise(0.05)) }
		}, [2]float64{.95, 1}, [2]float64{0, .05}},
		"autocorrelated at 0.9":     {24, func() func(int, int) float64 { return walks(.9) }, [2]float64{0, .02}, [2]float64{.95, 1}},
		"autocorrelated, 12 blocks": {12, func() func(int, int) float64 { return walks(.9) }, [2]float64{0, .1}, [2]float64{.85, 1}},
		"the first block is slow": {24, func() func(int, int) float64 {
			return func(_, b int) float64 {
				if b == 0 {
					return math.Exp(-0.3 + noise(0.03))
				}
				return math.Exp(noise(0.03))
			}
		}, [2]float64{0, .01}, [2]float64{0, .01}},
		"a drift of nothing": {12, func() func(int, int) float64 {
			return func(_, b int) float64 { return math.Exp(0.0005*float64(b)/11 + noise(0.0002)) }
		}, [2]float64{0, 0}, [2]float64{0, 0}},
	} {
		random = rand.New(rand.NewPCG(9, 9))
		drifts, others := 0, 0
		for range draws {
			rate := c.rate()
			switch all := neighbouring(blocksOf(cells, c.blocks, func(cell, b int) float64 { return 1e9 * rate(cell, b) })); {
			case len(all) == 0:
			case strings.HasPrefix(all[0].Text, "the run drifts"):
				drifts++
			default:
				others++
			}
		}
		share := func(n int) float64 { return float64(n) / draws }
		if d, o := share(drifts), share(others); d < c.drifts[0] || d > c.drifts[1] || o < c.others[0] || o > c.others[1] {
			t.Errorf("%s: called a drift in %.2f, autocorrelated in %.2f", name, d, o)
		}
	}
}
