package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// start times whole runs of go test and of syncwrite test on one package, with
// a build cache that go test has warmed: ours is in none at first.
func start(ctx context.Context) error {
	work, err := os.MkdirTemp("", "overhead-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	ours := filepath.Join(work, "syncwrite")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", ours, "./cmd/syncwrite").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	env := append(os.Environ(), "GOCACHE="+filepath.Join(work, "go"), "XDG_CACHE_HOME="+filepath.Join(work, "cache"))
	timed := func(command string) (float64, error) {
		c := exec.CommandContext(ctx, command, "test", "-run=^$", "-bench=Sleep/1$", "-benchtime=1x", "-cpu=1", "./examples/parallel")
		c.Env = env
		begin := time.Now()
		out, err := c.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", command, err, out)
		}
		return time.Since(begin).Seconds(), nil
	}
	if _, err := timed("go"); err != nil { // warms the build cache
		return err
	}
	var stock, later []float64
	var firstRun float64
	for round := range 8 {
		s, err := timed("go")
		if err != nil {
			return err
		}
		o, err := timed(ours)
		if err != nil {
			return err
		}
		stock = append(stock, s)
		if round == 0 {
			firstRun = o
		} else {
			later = append(later, o)
		}
	}
	fmt.Printf("go test: median %.3f s (%.3f to %.3f)\n", mid(stock), slices.Min(stock), slices.Max(stock))
	fmt.Printf("syncwrite test, first: %.3f s, %+.3f s\n", firstRun, firstRun-mid(stock))
	fmt.Printf("syncwrite test, later: median %.3f s (%.3f to %.3f), %+.3f s\n", mid(later), slices.Min(later), slices.Max(later), mid(later)-mid(stock))
	return nil
}
