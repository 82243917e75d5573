package logdir

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// writeVerification tells what a verification found: the segments, what is
// damaged, and what it comes to.
func writeVerification(w io.Writer, dir string, v *commitlog.Verification) error {
	out := bufio.NewWriter(w)
	if len(v.Segments) > 0 {
		writeSegments(out, v.Segments)
		fmt.Fprintln(out)
	}
	if len(v.Damage) > 0 {
		writeDamage(out, v.Damage)
		fmt.Fprintln(out)
	}
	for _, paragraph := range verdict(v) {
		fmt.Fprintln(out, filled(paragraph))
	}
	return out.Flush()
}

func writeSegments(w io.Writer, segments []commitlog.SegmentInfo) {
	rows := [][]string{{"segment", "first", "entries", "bytes", "state", "lost"}}
	for _, s := range segments {
		state := "open"
		if s.Sealed {
			state = "sealed"
		}
		rows = append(rows, []string{filepath.Base(s.Path), fmt.Sprint(s.First), fmt.Sprint(s.Entries), fmt.Sprint(s.Bytes), state, fmt.Sprint(s.Lost)})
	}
	writeColumns(w, "lrrrlr", rows)
}

// writeDamage writes one line for each damage. Entries that an earlier repair
// lost one after another share a line.
func writeDamage(w io.Writer, damage []*commitlog.CorruptError) {
	rows := [][]string{{"damage in", "entry", "byte", "what"}}
	damage = inOrder(damage)
	for i := 0; i < len(damage); {
		d, n := damage[i], sameLoss(damage[i:])
		offset := "-"
		if d.Offset >= 0 {
			offset = fmt.Sprint(d.Offset)
		}
		reason := d.Reason
		if n > 1 {
			reason = fmt.Sprintf("up to entry %d %s", damage[i+n-1].Index, reason)
		}
		rows = append(rows, []string{filepath.Base(d.Path), fmt.Sprint(d.Index), offset, reason})
		i += n
	}
	writeColumns(w, "lrrl", rows)
}

// inOrder sorts damage by entry: a verification tells of files before it tells
// of what is in them.
func inOrder(damage []*commitlog.CorruptError) []*commitlog.CorruptError {
	return slices.SortedStableFunc(slices.Values(damage), func(a, b *commitlog.CorruptError) int { return cmp.Compare(a.Index, b.Index) })
}

// sameLoss counts the damages at the start that are one run of entries which
// an earlier repair lost, in one file; 1 if there is none.
func sameLoss(damage []*commitlog.CorruptError) int {
	n := 1
	for n < len(damage) && damage[n].Lost && damage[n-1].Lost &&
		damage[n].Path == damage[n-1].Path && damage[n].Index == damage[n-1].Index+1 {
		n++
	}
	return n
}

// writeColumns aligns each column to the left or right, as its letter in align
// says.
func writeColumns(w io.Writer, align string, rows [][]string) {
	widths := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len(cell))
			if align[i] == 'l' {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// verdict says what a verification comes to, a paragraph each.
func verdict(v *commitlog.Verification) []string {
	var said []string
	switch outcomeOf(v) {
	case outcomeDamaged:
		said = append(said, span(v)+lostOf(v)+opens(v))
	case outcomeRepaired:
		said = append(said, span(v)+were(v.Lost)+" lost before an earlier repair, and reading one says so. Every other byte is as it was written.")
	default:
		said = append(said, span(v)+"every byte is as it was written.")
	}
	if v.Tail.CutBytes > 0 {
		said = append(said, tail(v.Tail))
	}
	return said
}

// span says which entries there are, as the start of a sentence.
func span(v *commitlog.Verification) string {
	switch v.Next - v.First {
	case 0:
		return "no entries: "
	case 1:
		return fmt.Sprintf("1 entry, %d: ", v.First)
	}
	return fmt.Sprintf("%s, %d to %d: ", entries(v.Next-v.First), v.First, v.Next-1)
}

func lostOf(v *commitlog.Verification) string {
	switch files := untold(v); {
	case files != "" && v.Lost == 0:
		return fmt.Sprintf("all of %s is lost: how many entries that held cannot be told.", files)
	case files != "":
		return fmt.Sprintf("%s lost, and so is all of %s: how many entries that held cannot be told.", are(v.Lost), files)
	case v.Next == v.First:
		return "damaged."
	case v.Lost == 0:
		return "all of them can be read; the damage is in what the log notes about them."
	}
	return are(v.Lost) + " lost."
}

// untold names the files of which nobody can tell what they held.
func untold(v *commitlog.Verification) string {
	if len(v.Untold) == 0 {
		return ""
	}
	files := filepath.Base(v.Untold[0])
	if more := len(v.Untold) - 1; more > 0 {
		files += " and " + results.Count(more, "file") + " behind it"
	}
	return files
}

func opens(v *commitlog.Verification) string {
	if v.Opens {
		return " The log opens nevertheless."
	}
	return " The log does not open as it is."
}

// tail says what opening a log cuts off, and that this is as it should be.
func tail(t commitlog.Recovery) string {
	what := results.Count(int(t.CutBytes), "byte")
	if t.CutEntries > 0 {
		what += ", with " + strings.Replace(entries(t.CutEntries), " ", " intact ", 1) + " behind a gap"
	}
	return fmt.Sprintf("The end is torn. What a crash left behind the last entry (%s) was never promised to survive: "+
		"writes that were not finished, or not flushed. It is no damage, and opening the log cuts it off.", what)
}

func entries(n uint64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// were is entries with its verb.
func were(n uint64) string {
	if n == 1 {
		return "1 entry was"
	}
	return fmt.Sprintf("%d entries were", n)
}

// are is entries with its verb.
func are(n uint64) string {
	switch n {
	case 0:
		return "no entry is"
	case 1:
		return "1 entry is"
	}
	return fmt.Sprintf("%d entries are", n)
}

// terminalWidth is what a paragraph fills: a terminal of 80 columns.
const terminalWidth = 79

// filled breaks a paragraph into lines.
func filled(paragraph string) string {
	var out strings.Builder
	column := 0
	for _, word := range strings.Fields(paragraph) {
		switch {
		case column > 0 && column+1+len(word) > terminalWidth:
			out.WriteByte('\n')
			column = 0
		case column > 0:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}
