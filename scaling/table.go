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
	means   []float64   // of blocks
	levels  []float64   // the mean of each level, less that of all
	middle  float64     // the mean of all
	within  [][]float64 // what a block's trials are off its mean and their levels
	scatter float64     // the sum of their squares
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
		for j := range row {
			row[j] -= t.means[i] + t.levels[j]
			t.scatter += row[j] * row[j]
		}
	}
	t.within = rows
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

// falls is by how much the last level lies below the one nearest to N, in logarithms, and the direction
// in which they differ.
func (t *table) falls(n float64) (by float64, direction []float64) {
	last, near := len(t.n)-1, 0
	for j := range t.n {
		if math.Abs(math.Log(t.n[j]/n)) < math.Abs(math.Log(t.n[near]/n)) {
			near = j
		}
	}
	direction = make([]float64, len(t.n))
	direction[near]++
	direction[last]--
	return dot(t.levels, direction), direction
}

// along is the variance of a trial in a direction of the levels, that of one level as a rule being
// larger than another's. It has as many degrees of freedom as there are blocks, less one.
func (t *table) along(direction []float64) float64 {
	sum := 0.0
	for _, row := range t.within {
		off := dot(row, direction)
		sum += off * off
	}
	length := dot(direction, direction)
	if t.blocks < 2 || length == 0 {
		return 0
	}
	return sum / length / (t.blocks - 1)
}

// withMeans is the correlation of what blocks are off in a direction of the levels with their means.
func (t *table) withMeans(direction []float64) float64 {
	offs, means := make([]float64, len(t.within)), make([]float64, len(t.within))
	for i, row := range t.within {
		offs[i], means[i] = dot(row, direction), t.means[i]-t.middle
	}
	if both := dot(offs, offs) * dot(means, means); both > 0 {
		return dot(offs, means) / math.Sqrt(both)
	}
	return 0
}

func difference(a, b []float64) []float64 {
	all := make([]float64, len(a))
	for j := range a {
		all[j] = a[j] - b[j]
	}
	return all
}

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
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
