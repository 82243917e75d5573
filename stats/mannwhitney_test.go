package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
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
		{"ties, 4 of 9", []float64{11, 10, 10, 11}, []float64{10, 10, 10, 9, 10}, 2 * 15.0 / 126},
		{"ties, 5 of 9", []float64{10, 10, 10, 9, 10}, []float64{11, 10, 10, 11}, 2 * 15.0 / 126},
	} {
		p, err := MannWhitney(c.x, c.y)
		if err != nil || math.Abs(p-c.want) > 1e-12 {
			t.Errorf("%s: p = %v, %v, want %v", c.name, p, err, c.want)
		}
	}
}

// Of samples with ties p is what counting all ways to choose gives, and the same whichever is named first.
func TestMannWhitneyWithTies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		x, y := make([]float64, 1+random.IntN(6)), make([]float64, 1+random.IntN(6))
		for _, values := range [][]float64{x, y} {
			for i := range values {
				values[i] = float64(random.IntN(4))
			}
		}
		p, err := MannWhitney(x, y)
		turned, failed := MannWhitney(y, x)
		if want := counted(x, y); err != nil || failed != nil || math.Abs(p-want) > 1e-9 || math.Abs(turned-want) > 1e-9 {
			t.Errorf("%v against %v: p = %v (%v), exchanged %v (%v), want %v", x, y, p, err, turned, failed, want)
		}
	}
}

// counted is twice the smaller tail of U, by all ways to choose.
func counted(x, y []float64) float64 {
	all := append(append([]float64{}, x...), y...)
	u := func(chosen uint) (wins float64) {
		for i, a := range all {
			for j, b := range all {
				switch {
				case chosen>>i&1 == 0 || chosen>>j&1 == 1:
				case a > b:
					wins++
				case a == b:
					wins += 0.5
				}
			}
		}
		return wins
	}
	is, low, high, ways := u(1<<len(x)-1), 0.0, 0.0, 0.0
	for chosen := range uint(1) << len(all) {
		if bits.OnesCount(chosen) != len(x) {
			continue
		}
		ways++
		if u(chosen) <= is {
			low++
		}
		if u(chosen) >= is {
			high++
		}
	}
	return min(1, 2*min(low, high)/ways)
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
