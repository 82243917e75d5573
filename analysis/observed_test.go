package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// observed adds an outcome a kind, in its own block.
func (b *book) observed(n int, kinds ...string) {
	for i, kind := range kinds {
		text := map[string]string{results.OutcomeEnded: "fatal error", results.OutcomeFinished: "all was done"}[kind]
		b.run.Outcomes = append(b.run.Outcomes, results.Outcome{
			Experiment: "log", Variant: "plain", Goroutines: n, Block: i + 1, Kind: kind, Text: text})
	}
}

// What has no rate is tallied and told, is no failure, and no doubt about the
// variants beside it.
func TestTrialsWithoutARateAreTold(t *testing.T) {
	const ended, finished = results.OutcomeEnded, results.OutcomeFinished
	b := newBook(map[string]results.Promise{"plain": fleeting, "file": crash}, "plain", "file")
	b.cell("file", 8, six(1e5)...)
	b.observed(1, finished, finished)
	b.observed(8, ended, finished, ended)
	f := b.finding(t)
	want := "plain has no rate: 3 of 5 trials finished, which promises nothing, at N = 1, 8: all was done; 2 of 5 trials ended the process, at N = 8: fatal error."
	if !strings.Contains(strings.Join(f.Verdict.Details, "\n"), want) {
		t.Errorf("details %q lack %q", f.Verdict.Details, want)
	}
	if want := "At 8 goroutines — survives a process crash: file, 100k appends/s."; f.Verdict.Sentence != want {
		t.Errorf("sentence %q, want %q", f.Verdict.Sentence, want)
	}
	if len(f.Tallies) != 3 || f.Tallies[1].Kind != ended || f.Tallies[1].Count != 2 || f.Tallies[1].Trials != 3 {
		t.Errorf("tallies %+v", f.Tallies)
	}
	if s := summary(t, f, "file", 8); warned(s, results.WarnEnded) || len(f.Errors()) > 0 {
		t.Errorf("warnings %v, errors %v", s.Warnings, f.Errors())
	}
}

func TestNothingButTrialsWithoutARate(t *testing.T) {
	b := one("plain")
	b.observed(8, results.OutcomeEnded)
	f := b.finding(t)
	if want := "plain has no rate: 1 of 1 trials ended the process, at N = 8: fatal error."; f.Verdict.Sentence != want || len(f.Verdict.Details) > 0 {
		t.Errorf("sentence %q, details %q, want %q", f.Verdict.Sentence, f.Verdict.Details, want)
	}
}

// A rate of which a part was lost is never told without the loss, and never
// ranked with rates that lost nothing.
func TestLossesStandBesideTheRate(t *testing.T) {
	lossy := results.Promise{Order: "none", Result: results.Lossy, Survives: "nothing"}
	b := newBook(map[string]results.Promise{"plain": lossy, "atomic": fleeting, "mutex": fleeting}, "plain", "atomic", "mutex")
	b.cell("plain", 8, six(4e5)...)
	for i := range b.run.Trials {
		lost := b.run.Trials[i].Ops / 4
		b.run.Trials[i].Lost = &lost
	}
	b.cell("atomic", 8, six(2e5)...)
	b.cell("mutex", 8, six(1e5)...)
	f := b.finding(t)
	want := "At 8 goroutines — in total order, linearizable: atomic, 200k appends/s, 2.00× mutex (2.00–2.00); " +
		"in no order, may lose operations: plain, 400k appends/s of which 25.0 % were lost."
	if f.Verdict.Sentence != want {
		t.Errorf("sentence %q, want %q", f.Verdict.Sentence, want)
	}
	if s := summary(t, f, "plain", 8); s.LostShare == nil || s.LostShare.Median != 0.25 {
		t.Errorf("lost share %v, want 0.25", s.LostShare)
	}
	if s := summary(t, f, "atomic", 8); s.LostShare != nil {
		t.Errorf("lost share %v of what counts none", s.LostShare)
	}
}
