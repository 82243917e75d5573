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
