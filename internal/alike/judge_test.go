package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// runs are of two variants at two levels of N in six blocks; in the first one variant takes so many times as long.
func runs(n int, off float64) []*results.Run {
	var all []*results.Run
	for i := range n {
		run := &results.Run{
			Envs:        []results.Env{{Machine: results.Machine{CPU: "x", Cores: 2, CPUQuota: results.Missing()}, Settings: results.Settings{Loop: "closed", WindowNS: 1}}},
			Ends:        []results.End{{Status: results.Complete}},
			Experiments: []results.Experiment{{Name: "e", Variants: []results.Variant{{Name: "a"}, {Name: "b"}}}},
		}
		for _, variant := range []string{"a", "b"} {
			for _, n := range []int{1, 2} {
				for block := range 6 {
					wall := 1e9 * (1 + 0.001*float64(block))
					if variant == "a" && i == 0 {
						wall *= off
					}
					run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: variant, Goroutines: n, Started: n, Block: block + 1, Ops: 1e6, WallNS: int64(wall), GoroutineNS: 1, Usage: results.MissingUsage()})
				}
			}
		}
		all = append(all, run)
	}
	return all
}

// Of three equal runs nothing is called, and what is planted fails alone; of three of which one is
// off two pairs fail.
func TestAlike(t *testing.T) {
	p := plan{drop: 0.05, slower: 0.1}
	for off, want := range map[float64]string{
		1:   "Of 3 pairs of equal runs 0 call a cell or a variant different (0 %), and 0 fail a threshold of 5 % (0 %). Of 6 thresholds 6 pass, 0 fail, 0 cannot be told: 100 % decided.\n",
		0.8: "Of 3 pairs of equal runs 2 call a cell or a variant different (67 %), and 2 fail a threshold of 5 % (67 %). Of 6 thresholds 4 pass, 2 fail, 0 cannot be told: 100 % decided.\n",
	} {
		var text strings.Builder
		p.alike(&text, each(runs(3, off)))
		if !strings.HasPrefix(text.String(), want) {
			t.Errorf("one of three %v times as long:\n%s", off, &text)
		}
	}
	var text strings.Builder
	p.planted(&text, across(runs(2, 1), runs(2, 1)))
	for _, name := range []string{"e/a", "e/b"} {
		if want := fmt.Sprintf("| %s | 4 of 4 | 0 | 0 | 0 |\n", name); !strings.Contains(text.String(), want) {
			t.Errorf("want %q in\n%s", want, &text)
		}
	}
	if want := "Of 8 such comparisons 8 fail (100 %), and in 0 another variant fails.\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("want %q at the end of\n%s", want, &text)
	}
}
