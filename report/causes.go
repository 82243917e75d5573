package report

import (
	"fmt"
	"strings"
)

var causeHead = []string{"variant", "N", "CPU", "parked at lock", "runnable", "unexplained*", "GC", "busy"}

var causeRight = []bool{false, true, true, true, true, true, true, true}

// causeNote explains the column that is not one of the known causes, and what
// the others hold.
const causeNote = "* system calls, disk, channels, and waiting for a processor where runnable is not given: not told apart without a trace. CPU counts the whole process, with the collector and with spinning for a lock."

// causeNotes adds of which cells nothing is told, though it was measured.
func causeNotes(f sheet) string {
	var where []string
	for i, s := range f.Summaries {
		if f.ends(i) && s.Cause.Over() {
			where = append(where, fmt.Sprintf("%s at N = %d", f.labels[i], s.Goroutines))
		}
	}
	if len(where) == 0 {
		return causeNote
	}
	return causeNote + " Not told of " + strings.Join(where, ", ") + ": what was counted there is more than the whole."
}

func causeRows(f sheet) [][]string {
	var rows [][]string
	for i, s := range f.Summaries {
		if !f.ends(i) || !s.Cause.Unexplained.Known() && !s.Cause.Over() {
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
