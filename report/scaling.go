package report

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

const (
	scalingTitle = "How each variant scales with goroutines N"
	scalingNote  = "By the Universal Scalability Law: N goroutines do λN ÷ (1 + σ(N-1) + κN(N-1)) a second. Contention σ is the share of an operation that they do one after another, above 100 % N of them do less than one; coherency κ is what each of the others adds to it. Told where four levels of N or more follow the law, and no farther than twice the most. Efficiency is what they do of as many times N = 1 as there are goroutines or, if those are fewer, processors that a quota grants: above 100 % where operations wait for something else."
)

// scalingTable has a row a series of which something is told.
func scalingTable(f sheet.Sheet) (head []string, right []bool, rows [][]string) {
	for _, fit := range f.Fits {
		rows = append(rows, []string{scaled(f, fit), fit.Text, efficiency(fit)})
	}
	return []string{"variant", "how it scales", "efficiency"}, []bool{false, false, true}, rows
}

func scaled(f sheet.Sheet, fit results.Fit) string {
	return f.LabelOf(fit.Variant, fit.Factors)
}

func efficiency(fit results.Fit) string {
	e := fit.Efficiency
	switch {
	case !e.Median.Known():
		return "–"
	case !e.Bounded():
		return fmt.Sprintf("%s at N = %d", e.Median.Percent(), fit.Most)
	}
	return fmt.Sprintf("%s (%s) at N = %d", e.Median.Percent(), sheet.Span(e, results.Number.Percent), fit.Most)
}

// scalingNotes say how the table is read, and who overtakes whom.
func scalingNotes(f sheet.Sheet) []string {
	notes := []string{scalingNote}
	var parts []string
	for _, c := range f.Crossovers {
		part := fmt.Sprintf("%s overtakes %s", results.Printable(c.Ahead), results.Printable(c.Behind))
		if key := results.FactorKey(c.Factors); key != "" && len(f.Series) > len(f.Experiment.Variants) {
			part += " with " + key
		}
		parts = append(parts, fmt.Sprintf("%s between N = %d and N = %d", part, c.Until, c.From))
	}
	if len(parts) > 0 {
		notes = append(notes, "Of equal promise: "+strings.Join(parts, "; ")+".")
	}
	return notes
}

func textScaling(w *paper.Paper, f sheet.Sheet) {
	_, _, rows := scalingTable(f)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w, scalingTitle)
	for _, row := range rows {
		text := row[0] + ": " + row[1]
		if row[2] != "–" {
			text += "; efficiency " + row[2]
		}
		w.Paragraph("  ", text)
	}
	for _, note := range scalingNotes(f) {
		w.Paragraph("  ", note)
	}
	fmt.Fprintln(w)
}
