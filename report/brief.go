package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Of each promise the brief report has so many rows; of an experiment without
// ranks, so many in all.
const (
	mostRows  = 3
	mostApart = 12
)

// brief is what a minute needs of a finding: three rows a promise, the doubts
// that touch them, and at its end the verdict. In a suite it is the verdict, and
// a count of what is to be read with it.
func brief(w *paper.Paper, f results.Finding, suite bool) {
	heading(w, f.Experiment)
	f.Verdict.Limits = "" // verbose and the page have them
	f.Verdict.At = sheet.At(f)
	s := sheet.New(f)
	if suite {
		verdict(w, f.Verdict)
		briefOutcomes(w, s)
		if text := counts(s); text != "" {
			w.Paragraph("  ! ", text)
		}
		return
	}
	if len(f.Summaries) > 0 {
		switch {
		case sheet.Open(s) && len(s.Summaries) > mostOpenRows:
			w.Paragraph("", results.Count(len(s.Summaries), "cell")+seeMore)
			fmt.Fprintln(w)
		case sheet.Open(s):
			textTable(w, s)
			fmt.Fprintln(w)
		case len(f.Verdict.Lines) > 0:
			briefRows(w, s)
		}
		if !sheet.Open(s) || !plain(s) {
			textKinds(w, fewest(s))
			textCycles(w, fewest(s), false)
		}
		briefDoubts(w, s)
	}
	briefOutcomes(w, s)
	textExplained(w, s, mostGoroutines(f.Explained))
	briefClaims(w, s)
	for _, t := range f.Verdict.Trades {
		w.Paragraph("  ~ ", t)
	}
	fmt.Fprintln(w)
	verdict(w, f.Verdict)
}

// fewest keeps of many cells with kinds of requests those that the verdict speaks of: the
// highest N, at the levels of factors that come first.
func fewest(f sheet.Sheet) sheet.Sheet {
	if len(f.Summaries) <= mostWithKinds {
		return f
	}
	first := results.FactorKey(f.Summaries[0].Factors)
	levels := sheet.LevelsOf(f.Summaries)
	few := f.Finding
	few.Summaries = slices.DeleteFunc(slices.Clone(f.Summaries), func(s results.Summary) bool {
		return results.FactorKey(s.Factors) != first || s.Goroutines != levels[len(levels)-1]
	})
	few.Verdict.Scaled = slices.DeleteFunc(slices.Clone(f.Verdict.Scaled), func(s results.Scaled) bool {
		return results.FactorKey(s.Factors) != first || s.Users != levels[len(levels)-1]
	})
	return sheet.New(few)
}

// mostWithKinds is how many cells are shown with their kinds of requests.
const mostWithKinds = 4

// mostOpenRows is how many cells of the open loop are shown.
const mostOpenRows = 20

// counts says how many doubts there are, and what became of the claims of others.
func counts(f sheet.Sheet) string {
	var parts []string
	if doubts := len(sheet.Collect(f)); doubts > 0 {
		parts = append(parts, results.Count(doubts, "doubt"))
	}
	if len(f.Verdict.Claims) > 0 {
		parts = append(parts, claimCounts(f.Verdict.Claims))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + seeMore
}

const seeMore = ": see syncwrite report --verbose, or the page."

func claimCounts(all []results.Tested) string {
	status := map[string]int{}
	for _, t := range all {
		status[t.Status]++
	}
	return fmt.Sprintf("of %s %d confirmed, %d contradicted", results.Count(len(all), "claim"), status[results.Confirmed], status[results.Contradicted])
}

// mostClaims is how many are told; of more, those at the levels of factors that come first.
const mostClaims = 4

func briefClaims(w *paper.Paper, f sheet.Sheet) {
	all := f.Verdict.Claims
	shown := all
	if len(all) > mostClaims && len(f.Summaries) > 0 {
		first := results.FactorKey(f.Summaries[0].Factors)
		shown = slices.DeleteFunc(slices.Clone(all), func(t results.Tested) bool { return results.FactorKey(t.Factors) != first })
	}
	for _, t := range shown {
		w.Paragraph("  = ", t.Sentence)
	}
	if len(shown) < len(all) {
		w.Paragraph("  = ", claimCounts(all)+seeMore)
	}
}

// briefOutcomes tells of what has no rate: variants that an error ended, and
// trials without one.
func briefOutcomes(w *paper.Paper, s sheet.Sheet) {
	for _, text := range s.Errors() {
		w.Paragraph("  ! ", text)
	}
	for _, t := range s.Tallies {
		name := s.LabelOf(t.Variant, t.Factors)
		w.Paragraph("  ! ", fmt.Sprintf("%s at N = %d: %d of %d trials %s: %s", name, t.Goroutines, t.Count, t.Trials, t.Kind, t.Text))
	}
}
