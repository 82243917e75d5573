package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
)

// drawn is of how many modules it is looked at where their time goes.
const drawn = 10

// draw chooses modules by a seed: which ones is settled before any is run.
func draw(all []stranger, seed uint64) []stranger {
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var some []stranger
	for _, one := range all {
		known := slices.ContainsFunc(some, func(o stranger) bool { return o.Version != "" && o.Module == one.Module })
		if !known && len(some) < drawn {
			some = append(some, one)
		}
	}
	return some
}

// why writes what syncwrite test --why says of the parallel benchmarks of drawn modules.
func why(ctx context.Context, to io.Writer, ours string, s settings) error {
	fmt.Fprintf(to, "# What syncwrite test --why says of strangers' benchmarks\n\nDrawn with seed %d; -cpu 2, -count %d, -benchtime %s.\n", s.why, s.count, s.time)
	for _, one := range draw(strangers(), s.why) {
		dir, err := source(ctx, one, s.work)
		if err != nil {
			return err
		}
		var said strings.Builder
		c := exec.CommandContext(ctx, ours, "test", "--why", "-run", "^$", "-bench", one.Bench, "-benchtime", s.time, "-cpu", "2", "-count", fmt.Sprint(s.count), one.Package)
		c.Dir, c.Stderr = dir, &said
		failed := c.Run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Fprintf(to, "\n## %s %s\n\n", one.name(), one.Version)
		n := 0
		for line := range strings.Lines(said.String()) {
			if text, is := strings.CutPrefix(line, "syncwrite: why: "); is {
				fmt.Fprintf(to, "- %s", text)
				n++
			}
		}
		if n == 0 {
			fmt.Fprintf(to, "No parallel benchmark told anything (%v).\n", failed)
		}
	}
	return nil
}
