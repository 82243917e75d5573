package figure

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// mostDrawn is how many series a page draws. The tables have all.
const mostDrawn = 16

// Drawn keeps of many series the fastest of each promise, at their highest N, and
// says so.
func Drawn(f sheet.Sheet) (sheet.Sheet, string) {
	if len(f.Series) <= mostDrawn {
		return f, ""
	}
	promises := sheet.PromisesOf(f)
	each := max(mostDrawn/len(promises), 1)
	kept := map[string]bool{}
	for _, p := range promises {
		var last []results.Summary
		for i, s := range f.Summaries {
			if f.Ends(i) && s.Promise == p {
				last = append(last, s)
			}
		}
		slices.SortStableFunc(last, func(a, b results.Summary) int { return cmp.Compare(rate(b), rate(a)) })
		for _, s := range last[:min(each, len(last))] {
			kept[f.Label(s)] = true
		}
	}
	few := f.Finding
	few.Summaries = slices.DeleteFunc(slices.Clone(f.Summaries), func(s results.Summary) bool { return !kept[f.Label(s)] })
	few.Trials = slices.DeleteFunc(slices.Clone(f.Trials), func(t results.Trial) bool {
		return !kept[f.LabelOf(t.Variant, t.Factors)]
	})
	s := sheet.New(few)
	return s, fmt.Sprintf("Drawn are the %d fastest of %d variants, %d of each promise: the tables have all.", len(s.Series), len(f.Series), each)
}

// rate is a summary's throughput; one that is missing counts as none.
func rate(s results.Summary) float64 {
	if !s.OpsPerS.Median.Known() {
		return -1
	}
	return float64(s.OpsPerS.Median)
}
