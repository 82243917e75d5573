package scaling

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/stats"
)

// A table is a sweep as logarithms, taken apart.
type table struct {
	n       []float64
	blocks  float64
	means   []float64 // of blocks
	levels  []float64 // the mean of each level, less that of all
	middle  float64   // the mean of all
	scatter float64   // sum of squares within levels and blocks
}

func tabulate(sweep Sweep) (*table, error) {
	t := &table{levels: make([]float64, len(sweep.N))}
	for _, n := range sweep.N {
		t.n = append(t.n, float64(n))
	}
	var rows [][]float64
	for _, xs := range sweep.X {
		if len(xs) != len(sweep.N) || slices.ContainsFunc(xs, math.IsNaN) {
			continue
		}
		if j := slices.IndexFunc(xs, func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) }); j >= 0 {
			return nil, fmt.Errorf("a trial at N = %d has no throughput: no law is told of that", sweep.N[j])
		}
		row := make([]float64, len(xs))
		for j, x := range xs {
			row[j] = math.Log(x)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, errors.New("no block has a trial at every N")
	}
	t.blocks = float64(len(rows))
	for _, row := range rows {
		mean := stats.Mean(row)
		t.means = append(t.means, mean)
		for j, y := range row {
			t.levels[j] += (y - mean) / t.blocks
		}
	}
	t.middle = stats.Mean(t.means)
	for i, row := range rows {
		for j, y := range row {
			off := y - t.means[i] - t.levels[j]
			t.scatter += off * off
		}
	}
	return t, nil
}

// center is the mean of the logarithms of what a shape gains at the levels.
func (t *table) center(s shape) float64 {
	sum := 0.0
	for _, n := range t.n {
		sum += math.Log(s.gain(n))
	}
	return sum / float64(len(t.n))
}

// falls is by how much the last level lies below the one nearest to N, in logarithms.
func (t *table) falls(n float64) float64 {
	last, near := len(t.n)-1, 0
	for j := range t.n {
		if math.Abs(math.Log(t.n[j]/n)) < math.Abs(math.Log(t.n[near]/n)) {
			near = j
		}
	}
	return t.levels[near] - t.levels[last]
}

// deviations are those of the levels' means, each as heavy as its trials together.
func (t *table) deviations(s shape) []float64 {
	all := make([]float64, len(t.n))
	center := t.center(s)
	for j, n := range t.n {
		all[j] = math.Sqrt(t.blocks) * (t.levels[j] - math.Log(s.gain(n)) + center)
	}
	return all
}
