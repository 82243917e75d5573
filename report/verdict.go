package report

import (
	"slices"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/results"
)

// verdict says who leads, one line a promise, then what scales and what follows.
func verdict(w *paper.Paper, v results.Verdict) {
	if len(v.Lines) == 0 {
		w.Paragraph("", v.Sentence)
		return
	}
	w.Heading("Verdict, " + v.At)
	for _, l := range v.Lines {
		w.Paragraph("  ", verdictLine(l))
	}
	for _, text := range slices.Concat(after(v), limits(v)) {
		w.Paragraph("", text)
	}
}

// verdictLine is a line of a verdict as one sentence.
func verdictLine(l results.Line) string {
	text := l.Text
	if l.Promise != "" {
		text = l.Promise + ": " + text
	}
	if l.Note != "" {
		text += "; " + l.Note
	}
	return text + "."
}

// after says what scales, and what follows.
func after(v results.Verdict) []string {
	var all []string
	for _, text := range []string{v.Scaling, v.Advice} {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// details are what a verdict has to say besides.
func details(v results.Verdict) []string { return slices.Concat(v.Trades, v.Details) }

// limits says what the machine allows, if it was measured along.
func limits(v results.Verdict) []string {
	if v.Limits == "" {
		return nil
	}
	return []string{v.Limits}
}
