package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/syncwrite/syncwrite/results"
)

// print writes a row for each bottleneck, how kinds were taken for others, and the sums.
func print(to io.Writer, all []judgement) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "bottleneck\tN\tplanted\ttold\tby\tcall")
	for _, j := range all {
		planted, told := strings.Join(j.kinds, " or "), j.first
		if j.bottleneck.share > 0 {
			planted = fmt.Sprintf("%.0f %% %s", 100*j.bottleneck.share, strings.Join(j.kinds, " and "))
		}
		if j.call != silent {
			told = fmt.Sprintf("%.0f %% %s", 100*j.share, j.first)
			if j.bottleneck.share > 0 && len(j.kinds) > 1 {
				told = fmt.Sprintf("%.0f %%, most of it %s", 100*j.sum, j.first)
			}
			if j.left >= 0.02 {
				told += fmt.Sprintf(", %.0f %% unexplained", 100*j.left)
			}
		}
		call := j.call
		if j.call == wrong {
			call += ": " + j.why
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", j.name, j.n, planted, told, j.source, call)
	}
	w.Flush()
	confusion(to, all)
	for _, j := range all {
		if j.call == silent {
			fmt.Fprintf(to, "silent of %s: %s\n", j.name, j.why)
		}
	}
	sums, first := map[string]int{}, 0
	for _, j := range all {
		if sums[j.call]++; slices.Contains(j.kinds, j.first) && j.left <= 0.5 { // else it is not named
			first++
		}
	}
	fmt.Fprintf(to, "\n%d bottlenecks: %d right, %d silent, %d wrong\n", len(all), sums[right], sums[silent], sums[wrong])
	fmt.Fprintf(to, "the first cause is right of %d: of those that are silent of shares it is the first that they name\n", first)
}

// confusion counts what each kind that was planted was told as.
func confusion(to io.Writer, all []judgement) {
	kinds := []string{results.TimeRunning, results.TimeRunnable, results.TimeLock, results.TimeCondition, results.TimeChannel, results.TimeSleep,
		results.TimeNetwork, results.TimeSystem, results.TimeFlush, results.TimeCollector}
	told := func(j judgement) string {
		if j.call == silent {
			return silent
		}
		return j.first
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nplanted, told as →")
	columns := slices.Concat(kinds, []string{silent})
	columns = slices.DeleteFunc(columns, func(k string) bool { return !slices.ContainsFunc(all, func(j judgement) bool { return told(j) == k }) })
	for _, k := range columns {
		fmt.Fprintf(w, "\t%s", k)
	}
	fmt.Fprintln(w)
	for _, planted := range kinds {
		counts, some := make([]string, len(columns)), false
		for i, k := range columns {
			n := 0
			for _, j := range all {
				kind := j.kinds[0]
				if slices.Contains(j.kinds, j.first) {
					kind = j.first // which of them could not be reckoned
				}
				if kind == planted && told(j) == k {
					n++
				}
			}
			if counts[i] = "·"; n > 0 {
				counts[i], some = fmt.Sprint(n), true
			}
		}
		if some {
			fmt.Fprintf(w, "%s\t%s\n", planted, strings.Join(counts, "\t"))
		}
	}
	w.Flush()
	fmt.Fprintln(to)
}
