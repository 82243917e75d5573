package analysis

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/scaling"
	"github.com/syncwrite/syncwrite/stats"
)

// What N ≤ 8 tell of N = 16 lies within a tenth of what was measured there, or is not
// told at all, in every series of the runs that are published.
func TestHeldOutLevel(t *testing.T) {
	files, err := filepath.Glob("../published/*/results.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no published runs: %v", err)
	}
	told, refused := 0, 0
	for _, file := range files {
		for _, s := range publishedSeries(t, file) {
			sweep := s.sweep()
			at := len(sweep.N) - 1
			if sweep.N[at] != 16 || len(sweep.X) < minTrials {
				continue
			}
			held := heldOut(sweep)
			var measured []float64
			for _, row := range sweep.X {
				measured = append(measured, math.Log(row[at]))
			}
			law, err := scaling.FitUSL(held, Confidence)
			if err != nil {
				t.Fatal(err)
			}
			said := law.At(16)
			if math.IsNaN(said.Value) || said.High/said.Low > 1.2 {
				refused++
				continue
			}
			told++
			truth := math.Exp(stats.Mean(measured))
			t.Logf("%s %s %s: said %.4g (%.4g–%.4g), measured %.4g", filepath.Base(filepath.Dir(file)), s.variant.Name, s.key, said.Value, said.Low, said.High, truth)
			if off := said.Value / truth; off < 0.9 || off > 1.1 {
				t.Errorf("%s %s: %.4g said of N = 16, %.4g measured", file, s.variant.Name, said.Value, truth)
			}
		}
	}
	t.Logf("%d told, %d refused", told, refused)
}

// heldOut is a sweep without its highest N.
func heldOut(sweep scaling.Sweep) scaling.Sweep {
	last := len(sweep.N) - 1
	held := scaling.Sweep{N: sweep.N[:last]}
	for _, row := range sweep.X {
		held.X = append(held.X, row[:last])
	}
	return held
}

func publishedSeries(t *testing.T, file string) []*series {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := results.Read(f, file)
	if err != nil {
		t.Fatal(err)
	}
	var all []*series
	for _, e := range run.Experiments {
		mine := slices.DeleteFunc(slices.Clone(run.Trials), func(t results.Trial) bool { return t.Experiment != e.Name })
		for _, s := range gather(run, e, mine) {
			if s.at(1) != nil && !isOpen(s.cells[0].trials) {
				all = append(all, s)
			}
		}
	}
	return all
}
