package trials

import (
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// Every variant is opened after its pages were warmed, and not if that is asked
// to be left out.
func TestEveryVariantFindsWarmPages(t *testing.T) {
	e := OnWarmPages(harness.Experiment{Factors: []harness.Factor{payloadFactor()}, Variants: []harness.Variant{
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

// Whatever writes a log finds warm pages, unless told not to.
func TestLogsAreWrittenToWarmPages(t *testing.T) {
	for _, name := range []string{
		"rival-log", "rival-share", "rival-limits", "rival-async", "rival-mixed", "rival-steady", "rival-past-limits",
	} {
		e, ok := Experiment(name)
		i := slices.IndexFunc(e.Factors, func(f harness.Factor) bool { return f.Name == "pages" })
		if !ok || i < 0 || e.Factors[i].Default != warm {
			t.Errorf("%s is measured on pages as they are found", name)
		}
	}
}

func faults(harness.Setup) (harness.Instance, error) { return harness.Instance{}, nil }
