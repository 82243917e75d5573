package sheet

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// A factor that a variant does not have is no part of its name.
func TestLabelWithoutAFactor(t *testing.T) {
	s := Sheet{Swept: []string{"parallelism"}}
	for want, sum := range map[string]results.Summary{
		"Plain":               {Variant: "Plain"},
		"Equal parallelism=4": {Variant: "Equal", Factors: map[string]string{"parallelism": "4"}},
	} {
		if got := s.Label(sum); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A factor that only some cells have names them, whichever cell comes first: without it
// two rows would have one name.
func TestShortNamesTellCellsApart(t *testing.T) {
	plain := results.Change{Experiment: "gt2", Variant: "Four", Goroutines: 4}
	swept := plain
	swept.Factors = map[string]string{"parallelism": "2"}
	for _, changes := range [][]results.Change{{plain, swept}, {swept, plain}} {
		fixed := FixedFactors(changes)
		if one, other := ShortName(plain, fixed["gt2"]), ShortName(swept, fixed["gt2"]); one != "gt2/Four@4" || other != "gt2/Four/parallelism=2@4" {
			t.Errorf("%s and %s", one, other)
		}
	}
}
