package report

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// verdict says who leads, one line a promise, then what scales and what follows.
func verdict(w *paper, v results.Verdict) {
	if len(v.Lines) == 0 {
		paragraph(w, "", v.Sentence)
		return
	}
	fmt.Fprintln(w, w.bold("Verdict, "+v.At))
	for _, l := range v.Lines {
		paragraph(w, "  ", verdictLine(l))
	}
	for _, text := range slices.Concat(after(v), limits(v)) {
		paragraph(w, "", text)
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

// limits says what the machine allows, if it was measured along.
func limits(v results.Verdict) []string {
	if v.Limits == "" {
		return nil
	}
	return []string{v.Limits}
}
