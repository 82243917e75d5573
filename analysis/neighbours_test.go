package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

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
	random := rand.New(rand.NewPCG(3, 3))
	noise := func() float64 { return math.Exp(0.02 * random.NormFloat64()) }
	last := map[int]float64{}
	for want, rate := range map[string]func(cell, block int) float64{
		"the run drifts: its rates changed by -8": func(_, b int) float64 { return 1e6 * (1 - 0.02*float64(b)) * noise() },
		"autocorrelated: trials of neighbouring blocks differ by ": func(c, _ int) float64 {
			last[c] = 0.9*last[c] + 0.44*random.NormFloat64()
			return 1e6 * math.Exp(0.1*last[c])
		},
		"": func(int, int) float64 { return 1e6 * noise() },
	} {
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
