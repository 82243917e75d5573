package analysis

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// inTheSameBlocks gives each its median, of the blocks that all have: of a machine that changed behind those
// that some needed, more would tell of others' hours. Who shares too few for an interval has its own.
func inTheSameBlocks(all []runner) {
	together := slices.DeleteFunc(slices.Clone(all), func(r runner) bool { return len(r.trials) < minTrials })
	having := blocksIn(together)
	for len(together) > 1 && shared(having, len(together)) < minTrials {
		together = withoutLoner(together, having)
		having = blocksIn(together)
	}
	for i, r := range all {
		all[i].shared = r.trials
		if slices.ContainsFunc(together, func(one runner) bool { return one.cell == r.cell }) {
			all[i].shared = slices.DeleteFunc(slices.Clone(r.trials), func(t results.Trial) bool { return having[blockOf(t)] < len(together) })
		}
		all[i].median, all[i].others = middle(all[i].shared), len(together) < len(all)
	}
}

// A block is one of a part of a run.
type block struct{ env, number int }

func blockOf(t results.Trial) block { return block{t.Env, t.Block} }

// blocksIn counts who has each block.
func blocksIn(all []runner) map[block]int {
	having := map[block]int{}
	for _, r := range all {
		for _, t := range r.trials {
			having[blockOf(t)]++
		}
	}
	return having
}

// shared is how many blocks so many have.
func shared(having map[block]int, many int) (blocks int) {
	for _, n := range having {
		if n >= many {
			blocks++
		}
	}
	return blocks
}

// withoutLoner leaves out who shares the fewest blocks with another.
func withoutLoner(all []runner, having map[block]int) []runner {
	loner, fewest := 0, len(having)+1
	for i, r := range all {
		with := 0
		for _, t := range r.trials {
			if having[blockOf(t)] > 1 {
				with++
			}
		}
		if with < fewest {
			loner, fewest = i, with
		}
	}
	return slices.Delete(all, loner, loner+1)
}

// inBlocks says that a runner's rate is not that of all its trials.
func (r runner) inBlocks() string {
	if len(r.shared) == len(r.trials) {
		return ""
	}
	who := "all have"
	if r.others {
		who = "it shares with others"
	}
	return fmt.Sprintf(" in the %d blocks that %s", len(r.shared), who)
}
