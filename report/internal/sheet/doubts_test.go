package sheet

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What the plan asked for is told in the footnote, of however many cells.
func TestFootnoteHasWhatWasPlanned(t *testing.T) {
	brief := results.Warning{Code: results.WarnBrief, Text: "windows shorter than 50ms"}
	var f Sheet
	f.Summaries = []results.Summary{{Variant: "a", Goroutines: 1, Warnings: []results.Warning{brief}}, {Variant: "b", Goroutines: 1}}
	if got, want := Footnote(f), "1 of 2 cells: windows shorter than 50ms."; got != want || len(Collect(f)) > 0 {
		t.Errorf("footnote %q, want %q, and doubts %v", got, want, Collect(f))
	}
}

// What holds of all cells at an N is told in the footnote; of one, with its name.
func TestFootnoteIsOfAllCells(t *testing.T) {
	idle := results.Warning{Code: results.WarnEffective, Text: "goroutines were not all at work"}
	cell := func(variant string, n int, warnings ...results.Warning) results.Summary {
		return results.Summary{Variant: variant, Goroutines: n, Warnings: warnings}
	}
	var f Sheet
	f.Summaries = []results.Summary{cell("a", 4, idle), cell("b", 4, idle), cell("a", 16), cell("b", 16, idle)}
	if got, want := Footnote(f), "N = 4: goroutines were not all at work."; got != want {
		t.Errorf("footnote %q, want %q", got, want)
	}
	if all := Collect(f); len(all) != 1 || len(all[0].Cells) != 1 || all[0].Cells[0] != 3 {
		t.Errorf("doubts %+v", all)
	}
}
