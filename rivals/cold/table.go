package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// table is the rows, with how they were measured.
func table(rows []row, o options) string {
	var b bytes.Buffer
	here := harness.Here()
	fmt.Fprintf(&b, "Each trial in a process and a directory of its own, nothing warmed, windows of %v at least, %d blocks,\n", o.window, o.blocks)
	fmt.Fprintf(&b, "ratios paired by block, intervals at 95 %%; %d × %s, Linux %s, %s, %s.\n\n", here.Cores, here.CPU, here.Kernel, here.Go, memory())
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "cell\tours\tagainst\ttheirs\tratio\t95 %\tmust\tgoal\t")
	for _, r := range rows {
		theirs, ratio := "–", "–"
		if r.best != "" {
			theirs, ratio = three(stats.Median(r.theirs[r.best])), three(r.value.Median)
		}
		fmt.Fprintln(t, strings.Join([]string{r.cell.Name, three(stats.Median(r.ours)), r.best, theirs, ratio,
			three(r.value.Low) + "–" + three(r.value.High), promised(r.cell.must), promised(r.cell.goal), r.verdict()}, "\t"))
	}
	t.Flush()
	return b.String()
}

func promised(x float64) string {
	if x == 0 {
		return "–"
	}
	return three(x)
}

func three(x float64) string { return results.Number(x).Three() }

// memory is the state of the machine's memory.
func memory() string {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return err.Error()
	}
	var parts []string
	for _, name := range []string{"MemTotal", "MemFree", "Cached", "Dirty"} {
		for line := range bytes.Lines(text) {
			var kib int64
			if _, err := fmt.Sscanf(string(line), name+": %d", &kib); err == nil {
				parts = append(parts, fmt.Sprintf("%s %d MiB", name, kib>>10))
			}
		}
	}
	return strings.Join(parts, ", ")
}
