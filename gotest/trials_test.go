package gotest

import (
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Trials at different GOMAXPROCS never share a cell, and those at one always do.
func TestCellSaysProcs(t *testing.T) {
	trial := func(name string, procs, goroutines int) Trial {
		return Trial{Package: "mod", Name: name, Procs: procs, N: 1, WallNS: 1, Goroutines: goroutines}
	}
	different := []Trial{
		trial("BenchmarkEqual", 1, 8), trial("BenchmarkEqual-2", 2, 8), trial("BenchmarkEqual-8", 8, 8), trial("BenchmarkEqual-3", 3, 8),
		trial("BenchmarkPlain", 1, 1), trial("BenchmarkPlain-2", 2, 2), trial("BenchmarkFour", 1, 4), trial("BenchmarkFour-2", 2, 8),
		trial("BenchmarkSum/n", 1, 0), trial("BenchmarkSum/n-2", 2, 0), trial("BenchmarkSum/n-2", 1, 0), trial("BenchmarkSum/n-2-2", 2, 0),
	}
	o := Outcome{Trials: append(different, different...)}
	experiments, trials := o.Results()
	cells := map[results.Cell][]results.Trial{}
	for _, r := range trials {
		cells[r.Cell()] = append(cells[r.Cell()], r)
	}
	if len(cells) != len(different) {
		t.Errorf("%d cells, want %d", len(cells), len(different))
	}
	for cell, both := range cells {
		if len(both) != 2 || both[0].GOMAXPROCS != both[1].GOMAXPROCS || both[0].Block != 1 || both[1].Block != 2 {
			t.Errorf("%s: %+v", cell.Name(), both)
		}
	}
	if f := experiments[0].Factors; len(f) != 1 || f[0].Name != "parallelism" {
		t.Errorf("factors %+v", f)
	}
}

// A repetition that is no trial keeps its block, and it is said how many there are.
func TestDroppedRepetitionKeepsItsBlock(t *testing.T) {
	run := func(why NoTrial, goroutines int) Trial {
		return Trial{Package: "mod", Name: "BenchmarkA-2", Procs: 2, N: 1, WallNS: 1, Goroutines: goroutines, NoTrial: why}
	}
	o := Outcome{Count: 5, Trials: []Trial{run(Kept, 2), run(Overlapping, 0), run(Kept, 2), run(HalfTimed, 2), run(Overlapping, 4)}}
	_, trials := o.Results()
	if len(trials) != 2 || trials[0].Block != 1 || trials[1].Block != 3 {
		t.Errorf("%+v", trials)
	}
	if got, want := o.NotKept(Overlapping), []string{"BenchmarkA (in 2 of 5 repetitions)"}; !slices.Equal(got, want) {
		t.Errorf("overlapping: %q, want %q", got, want)
	}
	if o.Trials = o.Trials[3:4]; !slices.Equal(o.NotKept(HalfTimed), []string{"BenchmarkA"}) {
		t.Errorf("half timed: %q", o.NotKept(HalfTimed))
	}
}

// No two benchmarks are one variant, however they are named: neither at one -cpu nor at
// several.
func TestNoTwoBenchmarksShareAVariant(t *testing.T) {
	names := []string{"X/x", "X/x-1", "X/x-2", "X/x-2-2", "X/x-2-1", "X/x-parallel", "X/x-2-parallel", "X/x-2-parallel-parallel", "X/x-2-parallel-2"}
	for split := range 1 << len(names) { // which of them are parallel
		of := map[string]string{}
		for i, name := range names {
			for _, procs := range []int{1, 2} {
				trial := Trial{Name: printed(name, procs), Procs: procs, N: 1, Goroutines: procs * (split >> i & 1)}
				variant := trial.variant()
				if other, taken := of[variant]; taken && other != name {
					t.Fatalf("%s and %s are both %s; parallel: %b", other, name, variant, split)
				}
				of[variant] = name
			}
		}
	}
}

// Only names that end as if with GOMAXPROCS are changed.
func TestVariantOfAParallelBenchmark(t *testing.T) {
	for name, want := range map[string]string{"X/x": "X/x", "X/x2": "X/x2", "X/x-parallel": "X/x-parallel", "X/x-2": "X/x-2-parallel", "X/x-2-parallel": "X/x-2-parallel-parallel"} {
		if got := (Trial{Name: printed(name, 4), Procs: 4, Goroutines: 4}).variant(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Without SetParallelism the levels of one benchmark are its goroutines.
func TestProcsAreLevels(t *testing.T) {
	o := Outcome{Trials: []Trial{
		{Name: "BenchmarkA", Procs: 1, N: 1, Goroutines: 1}, {Name: "BenchmarkA-2", Procs: 2, N: 1, Goroutines: 2},
	}}
	experiments, trials := o.Results()
	if len(experiments[0].Variants) != 1 || experiments[0].Factors != nil || trials[1].Goroutines != 2 || trials[1].GOMAXPROCS != 2 {
		t.Errorf("%+v, %+v", experiments, trials)
	}
}
