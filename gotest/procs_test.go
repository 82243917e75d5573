package gotest

import (
	"slices"
	"testing"
)

// The first repetition, too, is of the GOMAXPROCS that it is said to be of, where one operation is
// all that is asked for: package testing runs it before it sets the first level.
func TestFirstRepetitionIsOfItsProcessors(t *testing.T) {
	r := runSample(t, "-run=^$", "-bench=^BenchmarkParallel$", "-benchtime=1x", "-cpu=3,1,2", "-count=2")
	_, trials := r.Results()
	var goroutines []int
	for _, one := range trials {
		if goroutines = append(goroutines, one.Goroutines); one.Goroutines != one.GOMAXPROCS || one.Factors != nil {
			t.Errorf("%d goroutines at GOMAXPROCS %d, %v", one.Goroutines, one.GOMAXPROCS, one.Factors)
		}
	}
	if slices.Sort(goroutines); !slices.Equal(goroutines, []int{1, 1, 2, 2, 3, 3}) {
		t.Errorf("by %v goroutines: %s", goroutines, r.stdout)
	}
}
