package experiments_test

import (
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// A suite is of experiments of the catalogue, each of them once, with all
// their variants, at levels that the command line does not change, and has
// a name of its own.
func TestSuitesAreOfTheCatalogue(t *testing.T) {
	catalogue := experiments.Catalogue()
	for _, s := range experiments.Suites() {
		var seen []string
		if s.About == "" || len(s.Experiments) == 0 {
			t.Errorf("suite %s is not described, or empty", s.Name)
		}
		for _, e := range s.Experiments {
			at := slices.IndexFunc(catalogue, func(c harness.Experiment) bool { return c.Name == e.Name })
			if at < 0 || slices.Contains(seen, e.Name) {
				t.Errorf("suite %s: %s is not in the catalogue, or twice in the suite", s.Name, e.Name)
				continue
			}
			seen = append(seen, e.Name)
			if err := e.Check(); err != nil || !e.Fixed || len(e.Variants) != len(catalogue[at].Variants) {
				t.Errorf("suite %s: %s has %d variants, fixed %t, error %v", s.Name, e.Name, len(e.Variants), e.Fixed, err)
			}
		}
		if slices.ContainsFunc(catalogue, func(c harness.Experiment) bool { return c.Name == s.Name }) {
			t.Errorf("%s is a suite and an experiment", s.Name)
		}
	}
}

// The course's figures are these: 50 goroutines with 1,000 operations each,
// 100,000 lines, 1,000,000 round trips.
func TestCourseRunsAtTheLevelsOfTheCourse(t *testing.T) {
	want := map[string][2]int{
		"counter/plain": {50, 1000}, "counter/atomic": {50, 1000}, "map/plain": {50, 1000}, "map/mutex": {50, 1000},
		"map/rwmutex": {50, 1000}, "map/sync-map": {50, 1000}, "buffering/unbuffered": {1, 100_000},
		"buffering/buffered": {1, 100_000}, "handover/unbuffered": {1, 1_000_000},
	}
	for _, e := range experiments.Course() {
		for _, v := range e.Variants {
			if levels, named := want[e.Name+"/"+v.Name]; named {
				delete(want, e.Name+"/"+v.Name)
				if got := [2]int{e.Goroutines[0], v.PerGoroutine}; got != levels || len(e.Goroutines) != 1 {
					t.Errorf("%s/%s: %v goroutines with %d operations each, want %v", e.Name, v.Name, e.Goroutines, v.PerGoroutine, levels)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the suite: %v", want)
	}
}
