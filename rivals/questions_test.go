package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

// Every question names an experiment, variants, factors and levels of N that
// there are, and one of the parts measures it.
func TestQuestionsAreOfTheCatalogue(t *testing.T) {
	for _, q := range questions() {
		e, ok := trials.Experiment(q.experiment)
		if !ok {
			t.Fatalf("%s: no experiment %s", q.title, q.experiment)
		}
		measured := e
		if p := partOf(t, q, e); len(p.variants) > 0 {
			measured = e.Only(p.variants...)
		}
		theirs := measured
		if q.limits != "" {
			theirs, _ = trials.Experiment(q.limits)
		}
		checkVariants(t, q, measured, q.own)
		checkVariants(t, q, theirs, q.others...)
		for _, c := range q.cells {
			checkCell(t, e, c)
			if !slices.Contains(theirs.Goroutines, c.base) {
				t.Errorf("%s: N = %d is not among its levels", theirs.Name, c.base)
			}
		}
	}
}

// checkVariants looks for variants of an experiment that the question names, and
// whether that one is measured along if it is another.
func checkVariants(t *testing.T, q question, e harness.Experiment, names ...string) {
	t.Helper()
	own, _ := trials.Experiment(q.experiment)
	for _, name := range names {
		if !slices.ContainsFunc(e.Variants, func(v harness.Variant) bool { return v.Name == name }) {
			t.Errorf("%s: %q has no variant %s", q.title, e.Name, name)
		}
		if e.Name != own.Name && !slices.ContainsFunc(own.Limits, func(l results.Limit) bool { return l.Experiment == e.Name && l.Variant == name }) {
			t.Errorf("%s: %s/%s is no limit of %s", q.title, e.Name, name, own.Name)
		}
	}
}

// partOf is what measures ours for a question: one part for each cell.
func partOf(t *testing.T, q question, e harness.Experiment) (measured part) {
	t.Helper()
	for _, c := range q.cells {
		r := row{Experiment: q.experiment, Own: q.own, Goroutines: c.n, Factors: c.levels(e)}
		all := slices.DeleteFunc(parts(), func(p part) bool { return !measures(p, r) })
		if len(all) != 1 {
			t.Fatalf("%s, %s: %d parts measure it", q.title, c.name(), len(all))
		}
		measured = all[0]
	}
	return measured
}

// measures reports whether ours of a row is measured in the part.
func measures(p part, r row) bool {
	if p.experiment != r.Experiment ||
		len(p.variants) > 0 && !slices.Contains(p.variants, r.Own) ||
		p.goroutines != "" && !slices.Contains(strings.Split(p.goroutines, ","), strconv.Itoa(r.Goroutines)) {
		return false
	}
	for _, f := range p.factors {
		name, levels, _ := strings.Cut(f, "=")
		if !slices.Contains(strings.Split(levels, ","), r.Factors[name]) {
			return false
		}
	}
	return true
}

func checkCell(t *testing.T, e harness.Experiment, c cell) {
	t.Helper()
	if !slices.Contains(e.Goroutines, c.n) {
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

// A part of some levels of N is run at these only, and in as many blocks as it says.
func TestPartsAreRunAsTheySay(t *testing.T) {
	all := parts()
	alone := all[slices.IndexFunc(all, func(p part) bool { return p.name == "rival-log-durable-3-alone" })]
	o := tableOptions{trials: 6}
	words := strings.Join(o.words(alone, "x.jsonl"), " ")
	for _, want := range []string{"-g 1 --trials 96 rival-log/file-durable ", "-p payload=3 "} {
		if !strings.Contains(words, want) {
			t.Errorf("rivals %s: without %q", words, want)
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
	if want := 8 + 6 + 4 + 1 + 4 + 1 + 8 + 2 + 2 + 2 + 20 + 5 + 5 + 2 + 3 + 3 + 3; musts != want {
		t.Errorf("%d musts, want %d", musts, want)
	}
}

// The programs that run actors of others run, and every variant passes its own check.
func TestProgramsRun(t *testing.T) {
	for _, p := range parts() {
		if p.program == "" {
			continue
		}
		path := filepath.Join(t.TempDir(), "run.jsonl")
		if code := p.run([]string{"run", "--quiet", "--trials", "1", "--ops", "600", "-o", path}); code != 0 {
			t.Fatalf("%s: exit code %d", p.program, code)
		}
		run, err := readRuns([]string{path})
		if err != nil || len(run.Trials) != 2*3 || len(run.Outcomes) > 0 || run.Trials[0].Experiment != p.experiment {
			t.Errorf("%s: %d trials, %v, %v", p.program, len(run.Trials), run.Outcomes, err)
		}
	}
}
