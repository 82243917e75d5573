package analysis

import (
	"math"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Variants of unlike numbers of trials are ranked by the blocks that all have: where the machine became
// slower behind those that one needed, its median is of another hour. One with too few for an interval, which an
// error ended, keeps its own, and leaves the others theirs.
func TestRanksGoByTheSameBlocks(t *testing.T) {
	of := func(n int, rate func(block int) int) runner {
		c := &cell{}
		for b := range n {
			c.trials = append(c.trials, results.Trial{Block: b + 1, Ops: rate(b + 1), WallNS: 1e9})
		}
		return runner{cell: c}
	}
	slower := func(rate int) func(int) int {
		return func(block int) int {
			if block > 13 {
				return rate * 8 / 10
			}
			return rate
		}
	}
	all := []runner{of(13, slower(100)), of(40, slower(106)), of(3, slower(90))}
	inTheSameBlocks(all)
	if all[0].median != 100 || all[1].median != 106 || all[2].median != 90 {
		t.Errorf("%v, %v, %v", all[0].median, all[1].median, all[2].median)
	}
	if all[0].inBlocks() != "" || all[1].inBlocks() != " in the 13 blocks that it shares with others" || all[2].inBlocks() != "" {
		t.Errorf("%q, %q, %q", all[0].inBlocks(), all[1].inBlocks(), all[2].inBlocks())
	}
	// One of another run leaves those that share theirs alone.
	other := of(20, slower(120))
	for i := range other.trials {
		other.trials[i].Env = 1
	}
	all = []runner{other, of(13, slower(100)), of(40, slower(106))}
	inTheSameBlocks(all)
	if math.Round(all[0].median) != 120 || all[1].median != 100 || all[2].median != 106 {
		t.Errorf("beside another run: %v, %v, %v", all[0].median, all[1].median, all[2].median)
	}
}
