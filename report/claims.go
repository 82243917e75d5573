package report

import (
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/results"
)

// claimsTitle stands above what others concluded.
const claimsTitle = "What others concluded, held against this run"

func textClaims(w *paper.Paper, f results.Finding) {
	if len(f.Verdict.Claims) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", claimsTitle)
	for _, t := range f.Verdict.Claims {
		w.Paragraph("  = ", t.Sentence)
	}
}

func markdownClaims(w io.Writer, f results.Finding) {
	if len(f.Verdict.Claims) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n\n", claimsTitle)
	var lines []string
	for _, t := range f.Verdict.Claims {
		lines = append(lines, t.Sentence)
	}
	list(w, lines)
}
