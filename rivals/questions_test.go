package main

import (
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// Every question names an experiment, variants, factors and levels of N that
// there are, and one of the parts measures it.
func TestQuestionsAreOfTheCatalogue(t *testing.T) {
	for _, q := range questions() {
		e, ok := experiment(q.experiment)
		if !ok {
			t.Fatalf("%s: no experiment %s", q.title, q.experiment)
		}
		if measures := partOf(t, q); len(measures.variants) > 0 {
			e = e.Only(measures.variants...)
		}
		for _, variant := range append([]string{q.own}, q.others...) {
			if !slices.ContainsFunc(e.Variants, func(v harness.Variant) bool { return v.Name == variant }) {
				t.Errorf("%s: %s has no variant %s", q.title, q.experiment, variant)
			}
		}
		for _, c := range q.cells {
			checkCell(t, e, c)
		}
	}
}

// partOf is what measures ours for a question.
func partOf(t *testing.T, q question) part {
	t.Helper()
	all := parts()
	i := slices.IndexFunc(all, func(p part) bool {
		return p.experiment == q.experiment && (len(p.variants) == 0 || slices.Contains(p.variants, q.own))
	})
	if i < 0 {
		t.Fatalf("%s: nothing measures it", q.title)
	}
	return all[i]
}

func checkCell(t *testing.T, e harness.Experiment, c cell) {
	t.Helper()
	if !slices.Contains(e.Goroutines, c.n) || !slices.Contains(e.Goroutines, c.base) {
		t.Errorf("%s, %s: not among its levels of N", e.Name, c.name())
	}
	if len(c.levels(e)) != len(e.Factors) {
		t.Errorf("%s, %s: a factor that it has not", e.Name, c.name())
	}
	for _, f := range e.Factors {
		if err := f.Check(c.levels(e)[f.Name]); err != nil {
			t.Errorf("%s, %s: %v", e.Name, c.name(), err)
		}
	}
}

// No promise of the project is without its cell.
func TestEveryRowHasItsMust(t *testing.T) {
	musts := 0
	for _, q := range questions() {
		for _, c := range q.cells {
			if c.must > 0 {
				musts++
			}
		}
	}
	if want := 8 + 6 + 4 + 1 + 4 + 1 + 8 + 8 + 2 + 2 + 2 + 20 + 5 + 5 + 2 + 3; musts != want {
		t.Errorf("%d musts, want %d", musts, want)
	}
}
