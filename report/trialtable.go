package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// runsTitle stands above the table of every trial.
const runsTitle = "Run by run: the wall time of every trial, and their average (arithmetic mean)"

// mostRuns is how many trials of a cell the table has columns for.
const mostRuns = 6

// runTable has a row a cell: its trials in the order of their blocks. Where
// operations may be lost, a second row counts them. What all rows share is no
// column but a sentence.
func runTable(f sheet.Sheet) (shared string, head []string, right []bool, rows [][]string) {
	key := runColumns(f)
	head, right = []string{"variant"}, []bool{false}
	for _, c := range key.columns {
		head = append(head, c.name)
	}
	columns := min(mostTrials(f.Summaries), mostRuns)
	for i := range columns {
		head = append(head, fmt.Sprint(i+1))
	}
	head = append(head, "average", "per op")
	for len(right) < len(head) {
		right = append(right, true)
	}
	for _, s := range f.Summaries {
		if trials := runsOf(f, s); len(trials) > 0 {
			rows = append(rows, timeRow(key, s, trials, columns))
			if slices.ContainsFunc(trials, counted) {
				rows = append(rows, lostRow(key, s, trials, columns))
			}
		}
	}
	return key.shared, head, right, rows
}

// A runKey is what names a row besides its variant: the columns that differ,
// and in words what does not.
type runKey struct {
	columns []runColumn
	shared  string
}

type runColumn struct {
	name string
	get  func(results.Summary, []results.Trial) string
}

func runColumns(f sheet.Sheet) runKey {
	var key runKey
	for _, name := range f.Swept {
		key.columns = append(key.columns, runColumn{name, func(s results.Summary, _ []results.Trial) string { return results.Printable(s.Factors[name]) }})
	}
	for _, c := range []runColumn{
		{"N", func(s results.Summary, _ []results.Trial) string { return fmt.Sprint(s.Goroutines) }},
		{"ops", func(_ results.Summary, trials []results.Trial) string { return opsOf(trials) }},
	} {
		var levels []string
		for _, s := range f.Summaries {
			if trials := runsOf(f, s); len(trials) > 0 && !slices.Contains(levels, c.get(s, trials)) {
				levels = append(levels, c.get(s, trials))
			}
		}
		if len(levels) > 1 {
			key.columns = append(key.columns, c)
		} else if len(levels) == 1 {
			key.shared += fmt.Sprintf(" %s = %s.", c.name, levels[0])
		}
	}
	return key
}

// name begins a row.
func (k runKey) name(s results.Summary, what string, trials []results.Trial) []string {
	row := []string{results.Printable(s.Variant) + what}
	for _, c := range k.columns {
		row = append(row, c.get(s, trials))
	}
	return row
}

// timeRow has the wall time of every trial.
func timeRow(k runKey, s results.Summary, trials []results.Trial, columns int) []string {
	whole, perOp := 0.0, 0.0
	for _, t := range trials {
		whole += float64(t.WallNS) / float64(len(trials))
		perOp += float64(t.RateNS()) / float64(t.Ops) / float64(len(trials))
	}
	row := append(k.name(s, "", trials), runCells(trials, columns, func(t results.Trial) string { return results.Number(t.WallNS).Nanoseconds() })...)
	return append(row, results.Number(whole).Nanoseconds(), results.Number(perOp).Nanoseconds())
}

// counted reports whether it is known how many operations the trial lost: of merged runs
// some may have been measured by a program that did not count them.
func counted(t results.Trial) bool { return t.Lost != nil }

// lostRow counts the operations that each trial lost. The average and the share are of the
// trials that counted them.
func lostRow(k runKey, s results.Summary, trials []results.Trial, columns int) []string {
	lost, ops, counts := 0, 0, 0
	for _, t := range trials {
		if counted(t) {
			lost, ops, counts = lost+*t.Lost, ops+t.Ops, counts+1
		}
	}
	row := append(k.name(s, ", lost", trials), runCells(trials, columns, lostCell)...)
	return append(row, (results.Number(lost) / results.Number(counts)).Three(), (results.Number(lost) / results.Number(ops)).Share())
}

func lostCell(t results.Trial) string {
	if !counted(t) {
		return sheet.Dash("")
	}
	return fmt.Sprint(*t.Lost)
}

// opsOf is how many operations each of the trials had: the fewest and the most where they
// differ, as those of merged runs do, each of which was calibrated for itself.
func opsOf(trials []results.Trial) string {
	least, most := trials[0].Ops, trials[0].Ops
	for _, t := range trials {
		least, most = min(least, t.Ops), max(most, t.Ops)
	}
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d–%d", least, most)
}

func runCells(trials []results.Trial, columns int, write func(results.Trial) string) []string {
	row := make([]string, columns)
	for i := range row {
		row[i] = sheet.Dash("")
		if i < len(trials) {
			row[i] = write(trials[i])
		}
	}
	return row
}

// runsOf are the trials of a cell, in the order of their blocks.
func runsOf(f sheet.Sheet, s results.Summary) []results.Trial {
	var all []results.Trial
	for _, t := range f.Trials {
		if t.Cell() == s.Cell() && t.Ops > 0 {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b results.Trial) int { return cmp.Or(a.Env-b.Env, a.Block-b.Block) })
	return all
}

func mostTrials(summaries []results.Summary) int {
	most := 0
	for _, s := range summaries {
		most = max(most, s.Trials)
	}
	return most
}

// runsNote says what holds for the whole table and what it leaves out.
func runsNote(f sheet.Sheet, shared string) string {
	if most := mostTrials(f.Summaries); most > mostRuns {
		shared += fmt.Sprintf(" The first %d of %d runs are shown; the average is of all.", mostRuns, most)
	}
	return strings.TrimSpace(shared)
}

func textRuns(w *paper.Paper, f sheet.Sheet) {
	if !f.Experiment.Tabled {
		return
	}
	shared, head, right, rows := runTable(f)
	w.Paragraph("", runsTitle+". "+runsNote(f, shared))
	grid(w, head, right, rows)
	fmt.Fprintln(w)
}

func markdownRuns(w io.Writer, f sheet.Sheet) {
	if !f.Experiment.Tabled {
		return
	}
	shared, head, right, rows := runTable(f)
	fmt.Fprintf(w, "%s. %s\n\n", runsTitle, runsNote(f, shared))
	markdownTable(w, head, right, rows)
}
