package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Titles of what processes of their own add to a report.
const (
	cyclesTitle   = "Where a user's time goes from one request to the next, and how many processors work meanwhile"
	speedupsTitle = "What more workers bring, and what bounds it"
)

// cycleTable has a row a cell; none where all is done by one process.
func cycleTable(f sheet.Sheet) (head []string, right []bool, rows [][]string) {
	head = []string{"variant", "N", "cycle", "answer", "between", "server", "asking", "bytes", "limit"}
	right = []bool{false, true, true, true, true, true, true, true, false}
	for _, s := range f.Summaries {
		c := s.Cycle
		if c == nil {
			continue
		}
		rows = append(rows, []string{f.Label(s), fmt.Sprint(s.Goroutines), c.WholeNS.Nanoseconds(), c.AnswerNS.Nanoseconds(), between(c),
			c.Server.Three(), c.Generator.Three(), sizes(c), sheet.Dash(c.Bound)})
	}
	return head, right, rows
}

// sizes writes how large an answer was, at first and at last where that differs by a tenth.
func sizes(c *results.Cycle) string {
	if c.LastBytes > 0.9*c.FirstBytes && c.LastBytes < 1.1*c.FirstBytes {
		return c.FirstBytes.Rate()
	}
	return c.FirstBytes.Rate() + " → " + c.LastBytes.Rate()
}

// between writes what of a cycle is not the answer; less than a thousandth is nothing.
func between(c *results.Cycle) string {
	if c.BetweenNS < c.WholeNS/1000 {
		return "0"
	}
	return c.BetweenNS.Nanoseconds()
}

// cycleNotes say how the table is read.
func cycleNotes(f sheet.Sheet) []string {
	notes := []string{
		"A cycle is users ÷ requests a second (Little's law), the first of each user left out; what is not the answer lies between: a user's rest, or what asks is late. server and asking are processors that were busy; bytes an answer's size at first and at last.",
	}
	words := map[string]string{
		results.BoundByUsers:      "users: most of the time they rest, or there is one alone, who waits for each answer",
		results.BoundByGenerator:  "generator: its processes have no more to give",
		results.BoundByServer:     "server: the same",
		results.BoundByProcessors: "processors: server and generator together use all that there are",
		results.BoundByOthers:     "others: programs that are no part of this, or the hypervisor, use what is left of the processors, so nothing is told of the service",
		results.BoundByWaiting:    "waiting: there are processors left, and no user rests, so requests wait for one another, in the server, as at the lock of a list, or before they are sent",
	}
	var said []string
	for _, s := range f.Summaries {
		if s.Cycle != nil && s.Cycle.Bound != "" && !slices.Contains(said, words[s.Cycle.Bound]) {
			said = append(said, words[s.Cycle.Bound])
		}
	}
	if len(said) > 0 {
		notes = append(notes, "What limits: "+strings.Join(said, "; ")+".")
	}
	if text := sharing(f.Trials); text != "" {
		notes = append(notes, text)
	}
	return notes
}

// sharing says which processors server and generator have, and where trials differ, each; of a
// server on another machine nothing. Of somebody else's at an address of this machine nobody
// knows whether it does the work or hands it on.
func sharing(trials []results.Trial) string {
	var held []string
	here, known, free := false, false, false
	for _, t := range trials {
		var parts []string
		for _, p := range t.Processes {
			here = here || p.Name == results.Server
			known = known || p.Name == results.Server && p.CPUNS.Known()
			if len(p.Processors) > 0 {
				parts = append(parts, fmt.Sprintf("%s on %s", p.Name, sheet.Numbers(p.Processors)))
			}
		}
		text := strings.Join(parts, ", ")
		free = free || text == ""
		if text != "" && !slices.Contains(held, text) {
			held = append(held, text)
		}
	}
	slices.Sort(held) // trials come in an order that is drawn
	switch {
	case len(held) == 1 && !free:
		return "Held to processors: " + held[0] + "."
	case len(held) > 0:
		return "Held to processors, in some trials: " + strings.Join(held, "; ") + "."
	case here && !known:
		return "What answers is at an address of this machine: unless it hands on to another one, server and generator share its processors, and what one uses the other lacks."
	case here:
		return "Server and generator share this machine's processors: what one uses the other lacks."
	}
	return ""
}

// speedupTable has a row a cell in which more workers could ask.
func speedupTable(f sheet.Sheet) (head []string, right []bool, rows [][]string) {
	head, right = []string{"workers", "N", "speed-up", "Amdahl's bound", "processors' bound"}, []bool{false, true, true, true, true}
	for _, s := range f.Verdict.Scaled {
		name := f.LabelOf(s.Scale.Of, s.Factors)
		ratio := s.Ratio.Median.Three() + "×"
		if s.Ratio.Bounded() {
			ratio += " (" + sheet.Span(s.Ratio, results.Number.Three) + ")"
		}
		rows = append(rows, []string{fmt.Sprintf("%s for %s", name, s.Scale.To), fmt.Sprint(s.Users), ratio, s.Amdahl.Three() + "×", s.Machine.Three() + "×"})
	}
	return head, right, rows
}

// speedupNote says what the bounds are.
const speedupNote = "Amdahl's bound takes the server's part of the processor time as what cannot be divided among workers. The processors' bound is all of them ÷ those that were busy with one worker: where it is near 1 there is nothing left for more workers to use."

// textCycles writes both tables; whole, with how they are read.
func textCycles(w *paper.Paper, f sheet.Sheet, whole bool) {
	if head, right, rows := cycleTable(f); len(rows) > 0 {
		w.Paragraph("", cyclesTitle)
		grid(w, head, right, rows)
		notes := cycleNotes(f)
		if !whole {
			notes = notes[1:]
		}
		for _, note := range notes {
			w.Paragraph("  ", note)
		}
		fmt.Fprintln(w)
	}
	if head, right, rows := speedupTable(f); len(rows) > 0 {
		w.Paragraph("", speedupsTitle)
		grid(w, head, right, rows)
		if whole {
			w.Paragraph("  ", speedupNote)
		}
		fmt.Fprintln(w)
	}
}

func markdownCycles(w io.Writer, f sheet.Sheet) {
	if head, right, rows := cycleTable(f); len(rows) > 0 {
		fmt.Fprintf(w, "%s\n\n", cyclesTitle)
		markdownTable(w, head, right, rows)
		list(w, cycleNotes(f))
	}
	if head, right, rows := speedupTable(f); len(rows) > 0 {
		fmt.Fprintf(w, "%s\n\n", speedupsTitle)
		markdownTable(w, head, right, rows)
		list(w, []string{speedupNote})
	}
}
