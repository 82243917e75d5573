package main

import (
	"fmt"
	"io"
	"strings"
)

// verdict names every cell that is below its must, or that nothing can be said
// of, and what was not compared at all. It returns the exit code. Of a part of
// the questions, not to be measured is no fault.
func verdict(w io.Writer, rows []row, part bool) int {
	count := map[string]int{}
	for _, r := range rows {
		if r.Must > 0 {
			count[r.Status]++
		}
		for _, line := range r.words() {
			fmt.Fprintf(w, "rivals: %s\n", line)
		}
	}
	fmt.Fprintf(w, "rivals: of %d musts %d hold, %d fail, %d in doubt, %d without an interval, %d not measured\n",
		count[holds]+count[failed]+count[inDoubt]+count[unseen]+count[unmeasured],
		count[holds], count[failed], count[inDoubt], count[unseen], count[unmeasured])
	switch {
	case count[failed] > 0:
		return exitThreshold
	case count[unseen] > 0, count[unmeasured] > 0 && !part:
		return exitInconclusive
	}
	return 0
}

// words is what there is to say of a row.
func (r row) words() []string {
	name := r.Question + ": " + r.cell.name()
	rival := r.cell.divisor(r.Rival)
	var lines []string
	switch {
	case r.Status == unmeasured && r.Must > 0:
		lines = append(lines, "not measured: "+name)
	case r.Status == unseen:
		lines = append(lines, "no interval: "+name)
	}
	if r.Status == failed && r.tooFarApart() {
		lines = append(lines, fmt.Sprintf("below its must: %s: trials differ by %s, must be less than %s", name, r.Spread.Three(), times(r.maxSpread)))
	}
	if r.Status == failed && r.below() {
		lines = append(lines, fmt.Sprintf("below its must: %s: %s (%s) times %s, must be %s", name, r.Ratio.Median.Three(), r.bounds(), rival, times(r.Must)))
	}
	if len(r.Missing) > 0 && r.Status != unmeasured {
		lines = append(lines, fmt.Sprintf("not measured: %s: %s", name, strings.Join(r.Missing, ", ")))
	}
	return lines
}
