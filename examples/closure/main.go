// Command closure measures an operation of one's own: here a counter under a
// mutex, from 1, 2 and 4 goroutines. It prints what it found, and keeps every
// trial in closure.jsonl: syncwrite report and syncwrite compare read that.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

func main() {
	file, err := os.Create("closure.jsonl")
	if err == nil {
		err = measure(os.Stdout, file, harness.Config{Goroutines: []int{1, 2, 4}, Dir: os.TempDir()})
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "closure:", err)
		os.Exit(1)
	}
}

// measure is the whole road: closure, trials, findings, text.
func measure(w, keep io.Writer, config harness.Config) error {
	var mu sync.Mutex
	counter := 0
	increment := func() error { mu.Lock(); defer mu.Unlock(); counter++; return nil }
	promise := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	run, err := harness.Run(context.Background(), config, harness.Experiment{
		Name: "counter", Question: "What does a mutex cost?", Unit: "increment",
		Variants: []harness.Variant{harness.Func("mutex", promise, increment)},
	})
	if err != nil {
		return err
	}
	if err := results.Write(keep, run); err != nil {
		return err
	}
	return report.Text(w, analysis.Analyze(run), report.TextOptions{})
}
