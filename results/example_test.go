package results_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// What was not measured is null in the file and missing in Go, never zero.
func ExampleRead() {
	var file bytes.Buffer
	w := results.NewWriter(&file)
	trial := results.Trial{
		Experiment: "log", Variant: "file", Goroutines: 8, Block: 1, Ops: 1000, WallNS: 5e6,
		Usage: results.MissingUsage(),
	}
	for _, record := range []any{results.Env{Format: results.Format}, trial} {
		if err := w.Write(record); err != nil {
			fmt.Println(err)
		}
	}
	file.WriteString(`{"record":"trial","experi`) // the program was killed here

	run, err := results.Read(&file, "run.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s/s, steal %s\n", results.Number(run.Trials[0].OpsPerS()).Rate(), run.Trials[0].Usage.StealNS.Nanoseconds())
	fmt.Println(run.Problems[0])
	// Output:
	// 200k/s, steal –
	// run.jsonl:3: line ends early: unexpected end of JSON input
}

// One line a trial, for benchstat -col /variant.
func ExampleWriteBench() {
	promise := results.Promise{Order: "total", Result: "linearizable", Survives: "process-crash"}
	run := &results.Run{
		Envs: []results.Env{{Machine: results.Machine{GOOS: "linux", GOARCH: "amd64", GOMAXPROCS: 2}}},
		Experiments: []results.Experiment{{
			Name: "log", Variants: []results.Variant{{Name: "file", Promise: promise}},
		}},
		Trials: []results.Trial{{
			Experiment: "log", Variant: "file", Factors: map[string]string{"payload": "3"}, Goroutines: 8,
			Block: 1, Ops: 1000, WallNS: 5e6, Usage: results.MissingUsage(),
			Latency: results.Latency{MeanNS: 39000, P50NS: 37000, P90NS: results.Missing(), P99NS: 88000,
				P999NS: results.Missing(), MaxNS: results.Missing()},
		}},
	}
	if err := results.WriteBench(os.Stdout, run); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Unit ops/s better=higher
	// Unit mean-ns better=lower
	// Unit p50-ns better=lower
	// Unit p90-ns better=lower
	// Unit p99-ns better=lower
	// Unit p999-ns better=lower
	// Unit max-ns better=lower
	// goos: linux
	// goarch: amd64
	// order: total
	// result: linearizable
	// survives: process-crash
	//
	// BenchmarkLog/variant=file/payload=3/goroutines=8-2 1000 5000 ns/op 200000 ops/s 39000 mean-ns 37000 p50-ns 88000 p99-ns
}

// A line that package testing wrote is no trial: its ns/op of b.RunParallel is
// not a latency, and nobody stated a promise.
func ExampleReadBench() {
	_, err := results.ReadBench(strings.NewReader("BenchmarkLog-2 1000 5000 ns/op\n"), "old.txt")
	fmt.Println(err)
	// Output:
	// read old.txt: not a syncwrite results file: line 1: benchmark Log-2: no variant= or goroutines= in its name
}
