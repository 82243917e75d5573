package report_test

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// tabled is a report that asks for every trial, in a table.
func tabled(levels ...int) *results.Report {
	x := usual("plain", "atomic")
	x.levels = levels
	r := x.report()
	f := &r.Findings[0]
	f.Experiment.Tabled = true
	for i := range f.Experiment.Variants {
		f.Experiment.Variants[i].Promise = promise("nothing")
	}
	for i := range f.Summaries {
		f.Summaries[i].Promise = promise("nothing")
	}
	return r
}

// lossyReport has a variant that loses operations, and counts them.
func lossyReport() *results.Report {
	r := tabled(1, 4)
	f := &r.Findings[0]
	promise := results.Promise{Order: "none", Result: results.Lossy, Survives: "nothing"}
	f.Experiment.Variants[0].Promise = promise
	for i := range f.Trials {
		if t := &f.Trials[i]; t.Variant == "plain" {
			lost := 1000 * t.Block * (t.Goroutines - 1)
			t.Lost = &lost
		}
	}
	for i := range f.Summaries {
		if s := &f.Summaries[i]; s.Variant == "plain" {
			s.Promise = promise
			share := results.Number(s.Goroutines-1) / 40
			s.LostShare = &results.Interval{Median: share, Low: share / 2, High: share * 2}
		}
	}
	return r
}

// claimsReport has claims of others, trials without a rate, and a table of
// trials that differ in how many operations they have.
func claimsReport() *results.Report {
	r := tabled(8)
	f := &r.Findings[0]
	for i := range f.Trials {
		if f.Trials[i].Variant == "atomic" {
			f.Trials[i].Ops /= 10
		}
	}
	for _, status := range []string{results.Confirmed, results.Contradicted, results.Untold} {
		f.Verdict.Claims = append(f.Verdict.Claims, results.Tested{
			Status: status, Goroutines: 8,
			Sentence: status + ": somebody said: <it> is *so*. Here, at 8 goroutines, plain does 1.20 (1.10–1.30) times the appends/s of atomic.",
		})
	}
	for _, writes := range []string{"100", "50"} {
		factors := map[string]string{"writes": writes}
		for _, n := range []int{1, 8} {
			t := results.Tally{Experiment: "log", Variant: "bare", Factors: factors, Goroutines: n, Kind: results.OutcomeFinished, Text: "all 50000 operations were done, and nothing noticed", Count: 6, Trials: 6}
			if n > 1 {
				t.Kind, t.Text, t.Count = results.OutcomeEnded, "fatal error: concurrent map writes (exit status 2)", 5
			}
			f.Tallies = append(f.Tallies, t)
			for i := range t.Count {
				f.Outcomes = append(f.Outcomes, results.Outcome{Experiment: "log", Variant: "bare", Factors: factors, Goroutines: n, Block: i + 1, Kind: t.Kind, Text: t.Text})
			}
		}
	}
	f.Verdict.Details = append(f.Verdict.Details, fmt.Sprintf("bare has no rate: %s.", f.Tallies[1].Text))
	return r
}
