package analysis_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// asText writes a run in the benchmark format and reads it back.
func asText(t *testing.T, run *results.Run) *results.Run {
	t.Helper()
	var text bytes.Buffer
	if err := results.WriteBench(&text, run); err != nil {
		t.Fatal(err)
	}
	back, err := results.ReadBench(&text, "run.bench")
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// Read from text, trials are ranked with nobody, scale by nobody knows what, and lead
// to no advice: their blocks are not known.
func TestTextIsNotRanked(t *testing.T) {
	b := one("a", "b")
	for _, n := range []int{1, 8} {
		b.cell("a", n, six(2e6*float64(n))...)
		b.cell("b", n, six(1e6)...)
	}
	v := analysis.Analyze(asText(t, &b.run)).Findings[0].Verdict
	if text := v.Sentence + v.Scaling + v.Advice + strings.Join(v.Details, ""); strings.Contains(text, "×") || v.Advice != "" || !strings.Contains(text, "a and b are not ranked: they were read from the benchmark format") {
		t.Errorf("%q", text)
	}
}

// Nor is a comparison of it called, or a threshold passed.
func TestTextIsNotCompared(t *testing.T) {
	older, newer := asText(t, runOf(spread(1e6)...)), asText(t, runOf(spread(4e6)...))
	c := analysis.Compare(older, newer)
	gates := analysis.GateChanges(c, 0.05)
	if len(gates) != 1 || gates[0].Status != results.GateUnseen || c.Changes[0].Call != results.CannotTell {
		t.Errorf("%+v, %+v", gates, c.Changes)
	}
}
