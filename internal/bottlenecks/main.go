// Command bottlenecks is the catalogue of planted bottlenecks: operations of which it is known
// beforehand where their goroutines' time goes. It measures each with Why, as `syncwrite run
// --why` does, and prints what was told of it: right, wrong, or nothing.
//
// Shares are reckoned from the make-up: of n goroutines that sleep in turn under one lock,
// n − 1 wait. What nobody can reckon beforehand has no share, and what a trace cannot tell,
// such as spinning, is right if it is told as what it looks like.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func main() {
	only := flag.String("only", "", "measure those whose names match a pattern")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		err = run(ctx, pattern)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bottlenecks:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, pattern *regexp.Regexp) error {
	some := slices.DeleteFunc(catalogue(), func(b bottleneck) bool { return !pattern.MatchString(b.name) })
	var all []judgement
	for i, b := range some {
		fmt.Fprintf(os.Stderr, "\r%d of %d: %-40s", i+1, len(some), b.name)
		told, err := measure(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		all = append(all, judge(b, told))
	}
	fmt.Fprintf(os.Stderr, "\r%60s\r", "")
	print(os.Stdout, all)
	return nil
}

// measure runs a bottleneck and returns what is told of it.
func measure(ctx context.Context, b bottleneck) (told results.Explanation, err error) {
	dir, err := os.MkdirTemp("", "bottleneck-")
	if err != nil {
		return told, err
	}
	defer os.RemoveAll(dir)
	nothing := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	e := harness.Experiment{Name: "planted", Question: "Is it told?", Variants: []harness.Variant{{Name: "bottleneck", About: b.about, Promise: nothing, Open: b.open}}}
	run, err := harness.Run(ctx, harness.Config{Goroutines: []int{b.n}, Trials: 5, Window: 200 * time.Millisecond, Dir: dir, Why: true}, e)
	if err != nil {
		return told, err
	}
	report := analysis.Analyze(run)
	if len(report.Findings) != 1 || len(report.Findings[0].Explained) != 1 {
		return told, fmt.Errorf("nothing is told: %v", run.Outcomes)
	}
	return report.Findings[0].Explained[0], nil
}
