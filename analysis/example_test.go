package analysis_test

import (
	"fmt"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// Memory is a hundred times faster, but it promises less: it is told, not
// ranked.
func ExampleAnalyze() {
	run := &results.Run{
		Experiments: []results.Experiment{{Name: "log", Unit: "append", Variants: []results.Variant{
			{Name: "memory", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}},
			{Name: "file", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "process-crash"}},
			{Name: "leveldb", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "process-crash"}},
		}}},
	}
	for block := 1; block <= 6; block++ {
		for variant, ops := range map[string]int{"memory": 4_000_000, "file": 40_000, "leveldb": 16_000} {
			run.Trials = append(run.Trials, results.Trial{
				Experiment: "log", Variant: variant, Goroutines: 8, Block: block,
				Ops: ops, WallNS: 100e6 + int64(block)*1e6, Usage: results.MissingUsage(),
			})
		}
	}
	for _, f := range analysis.Analyze(run).Findings {
		fmt.Println(f.Verdict.Sentence)
	}
	// Output:
	// At 8 goroutines — survives a process crash: file, 386k appends/s, 2.50× leveldb (2.50–2.50); without crash safety: memory, 38.6M appends/s.
}
