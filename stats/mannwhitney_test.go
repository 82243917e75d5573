package stats

import (
	"math"
	"testing"
)

// Samples that do not overlap reach the smallest p there is, 2/C(n+m, n).
func TestMannWhitneyKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want float64
	}{
		{"6 below 6", []float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}, 2.0 / 924},
		{"6 above 6", []float64{7, 8, 9, 10, 11, 12}, []float64{1, 2, 3, 4, 5, 6}, 2.0 / 924},
		{"3 below 3", []float64{1, 2, 3}, []float64{4, 5, 6}, 2.0 / 20},
		{"one step of overlap", []float64{1, 2, 4}, []float64{3, 5, 6}, 4.0 / 20},
		{"interleaved", []float64{1, 4}, []float64{2, 3}, 1},
		{"one each", []float64{1}, []float64{2}, 1},
		{"all equal", []float64{5, 5, 5}, []float64{5, 5, 5}, 1},
	} {
		p, err := MannWhitney(c.x, c.y)
		if err != nil || math.Abs(p-c.want) > 1e-12 {
			t.Errorf("%s: p = %v, %v, want %v", c.name, p, err, c.want)
		}
	}
}

func TestMannWhitneyIsAProbability(t *testing.T) {
	for _, x := range [][]float64{{1, 1, 2}, {1, 2, 2, 2}, {2}, {1, 1, 1, 3}} {
		for _, y := range [][]float64{{1, 2}, {2, 2, 3}, {1, 1, 1, 1, 2}} {
			if p, err := MannWhitney(x, y); err != nil || !(p > 0 && p <= 1) {
				t.Errorf("%v against %v: p = %v, %v", x, y, p, err)
			}
		}
	}
}

func TestMannWhitneyRejectsBadInput(t *testing.T) {
	good := []float64{1, 2, 3}
	for _, bad := range [][]float64{nil, {1, nan}} {
		if p, err := MannWhitney(good, bad); err == nil || !math.IsNaN(p) {
			t.Errorf("%v on the right: p = %v, %v", bad, p, err)
		}
		if p, err := MannWhitney(bad, good); err == nil || !math.IsNaN(p) {
			t.Errorf("%v on the left: p = %v, %v", bad, p, err)
		}
	}
}
