package analysis_test

import (
	"bytes"
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

// Read from text, trials of two runs are ranked no more than they were before, and
// those of one run are ranked as they were.
func TestTextRanksNoMore(t *testing.T) {
	apart, together := one("a", "b"), one("a", "b")
	for _, b := range []*book{apart, together} {
		b.cell("a", 8, six(2e6)...)
		b.cell("b", 8, six(1e6)...)
		b.run.Envs = append(b.run.Envs, b.run.Envs[0])
		b.run.Experiments[0].Unit = "" // the format has none
	}
	for i := range apart.run.Trials[6:] {
		apart.run.Trials[6+i].Env = 1
	}
	for name, run := range map[string]*results.Run{"two runs": &apart.run, "one run": &together.run} {
		was, is := analysis.Analyze(run).Findings[0].Verdict, analysis.Analyze(asText(t, run)).Findings[0].Verdict
		if was.Sentence != is.Sentence {
			t.Errorf("%s: %q, before %q", name, is.Sentence, was.Sentence)
		}
	}
}

// A comparison that trials are too doubtful for is none of their text either.
func TestTextIsComparedNoMore(t *testing.T) {
	disturbed := runOf(spread(1e6)...)
	for i := range disturbed.Trials {
		disturbed.Trials[i].Warnings = []results.Warning{{Code: results.WarnDisturbed, Text: "others"}}
	}
	older := asText(t, runOf(spread(1e6)...))
	for newer, want := range map[*results.Run]string{disturbed: results.GateUnseen, runOf(spread(1e6)...): results.GatePassed} {
		gates := analysis.GateChanges(analysis.Compare(older, asText(t, newer)), 0.05)
		if len(gates) != 1 || gates[0].Status != want {
			t.Errorf("%+v, want %s", gates, want)
		}
	}
}
