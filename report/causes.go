package report

import (
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/results"
)

// textCauses tells where the goroutines' time went, at the highest N of every
// variant.
func textCauses(w io.Writer, f sheet) {
	rows := causeRows(f)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w, "Where goroutine time went, at each variant's highest N")
	grid(w, causeHead, causeRight, rows)
	paragraph(w, "", causeNote)
	fmt.Fprintln(w)
}

var causeHead = []string{"variant", "N", "CPU", "lock wait", "runnable", "unexplained*", "GC", "busy"}

var causeRight = []bool{false, true, true, true, true, true, true, true}

// causeNote explains the column that is not one of the four known causes.
const causeNote = "* system calls, disk, channels: not told apart without a trace. CPU counts the whole process, the collector included; below zero, what was counted overlaps."

func causeRows(f sheet) [][]string {
	var rows [][]string
	for i, s := range f.Summaries {
		if !f.ends(i) || !s.Cause.Unexplained.Known() {
			continue
		}
		c := s.Cause
		rows = append(rows, []string{
			f.labels[i], fmt.Sprint(s.Goroutines), share(c.CPU), share(c.Lock), share(c.Scheduler),
			share(c.Unexplained), share(s.GCShare), share(s.BusyShare),
		})
	}
	return rows
}

func share(n results.Number) string { return (n * 100).Percent() }
