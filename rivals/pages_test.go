package main

import (
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// Every variant is opened after its pages were warmed, and not if that is asked
// to be left out.
func TestEveryVariantFindsWarmPages(t *testing.T) {
	e := onWarmPages(harness.Experiment{Factors: []harness.Factor{payloadFactor()}, Variants: []harness.Variant{
		{Open: faults}, {Open: faults},
	}})
	for i, v := range e.Variants {
		for level, least := range map[string]int64{warm: leastFaults, found: 0} {
			before := minorFaults(t)
			if _, err := v.Open(harness.Setup{Ops: 1, Factors: map[string]string{"payload": "3", "pages": level}}); err != nil {
				t.Fatal(err)
			}
			if got := minorFaults(t) - before; got < least || least == 0 && got >= leastFaults {
				t.Errorf("variant %d, pages %s: %d pages were touched first", i, level, got)
			}
		}
	}
	if checkPages("cold") == nil || checkPages(warm) != nil || checkPages(found) != nil {
		t.Error("the levels of pages are not warm and found")
	}
}

func faults(harness.Setup) (harness.Instance, error) { return harness.Instance{}, nil }
