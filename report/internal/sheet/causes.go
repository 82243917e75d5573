package sheet

import (
	"fmt"
	"strings"
)

// CauseHead names the columns of CauseRows; CauseRight says which stand right.
var CauseHead = []string{"variant", "N", "CPU", "parked at lock", "runnable", "unexplained*", "GC", "busy"}

var CauseRight = []bool{false, true, true, true, true, true, true, true}

// causeNote explains the column that is not one of the known causes, and what
// the others hold.
const causeNote = "* system calls, disk, channels, and waiting for a processor where runnable is not given: not told apart without a trace. CPU counts the whole process, with the collector and with spinning for a lock."

// CauseNotes adds of which cells nothing is told, though it was measured.
func CauseNotes(f Sheet) string {
	var where []string
	for i, s := range f.Summaries {
		if f.Ends(i) && s.Cause.Over() {
			where = append(where, fmt.Sprintf("%s at N = %d", f.Labels[i], s.Goroutines))
		}
	}
	if len(where) == 0 {
		return causeNote
	}
	return causeNote + " Not told of " + strings.Join(where, ", ") + ": what was counted there is more than the whole."
}

// CauseRows say where goroutine time went, at the highest N of every variant.
func CauseRows(f Sheet) [][]string {
	var rows [][]string
	for i, s := range f.Summaries {
		if !f.Ends(i) || !s.Cause.Unexplained.Known() && !s.Cause.Over() {
			continue
		}
		c := s.Cause
		rows = append(rows, []string{
			f.Labels[i], fmt.Sprint(s.Goroutines), Share(c.CPU), Share(c.Lock), Share(c.Scheduler),
			Share(c.Unexplained), Share(s.GCShare), Share(s.BusyShare),
		})
	}
	return rows
}
