package sheet

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

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
