package sheet

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// CauseHead names the columns of CauseRows; CauseRight says which stand right.
var CauseHead = []string{"variant", "N", "CPU", "parked at lock", "runnable", "unexplained*", "GC", "busy"}

var CauseRight = []bool{false, true, true, true, true, true, true, true}

// causeNote explains the column that is not one of the known causes, and what
// the others hold.
const causeNote = "* system calls, disk, channels, and waiting at a lock or for a processor where that is not given: not told apart without a trace. CPU counts the whole process, with the collector and with spinning for a lock."

// CauseNotes adds of which cells nothing is told, though it was measured, and of which
// the lock is perhaps another's.
func CauseNotes(f Sheet) string {
	text := causeNote
	if where := causesWhere(f, results.Cause.Over); where != "" {
		text += " Not told of " + where + ": what was counted there is more than the whole."
	}
	if where := causesWhere(f, func(c results.Cause) bool { return c.Shared && c.Lock > 0 }); where != "" {
		text += " Parked at lock is that of the whole process, where goroutines besides the N may have waited: " + where + "."
	}
	return text
}

// causesWhere lists the cells of CauseRows of whose causes something is so.
func causesWhere(f Sheet, is func(results.Cause) bool) string {
	var where []string
	for i, s := range f.Summaries {
		if f.Ends(i) && is(s.Cause) {
			where = append(where, fmt.Sprintf("%s at N = %d", f.Labels[i], s.Goroutines))
		}
	}
	return strings.Join(where, ", ")
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
