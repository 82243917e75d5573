package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// The p of five and of six differences of one sign, by hand, and of Hollander and Wolfe's nine
// patients (Nonparametric Statistical Methods, example 3.1): the two of the other sign have ranks that sum up to 5,
// p 0.039.
func TestSignedRank(t *testing.T) {
	before := []float64{1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	exp := func(xs []float64) (all []float64) { // the test is of differences, ours of quotients
		for _, x := range xs {
			all = append(all, math.Exp(x))
		}
		return all
	}
	for name, c := range map[string]struct {
		x, y []float64
		want float64
	}{
		"five up":             {[]float64{2, 3, 4, 5, 6}, []float64{1, 1, 1, 1, 1}, 2. / 32},
		"six up":              {[]float64{2, 3, 4, 5, 6, 7}, []float64{1, 1, 1, 1, 1, 1}, 2. / 64},
		"all equal":           {[]float64{2, 3, 4}, []float64{2, 3, 4}, 1},
		"the nine patients":   {exp(after), exp(before), 0.0390625},
		"ties, all one way":   {[]float64{2, 2, 2, 2}, []float64{1, 1, 1, 1}, 2. / 16},
		"one pair is no pair": {[]float64{1, 2, 2, 2, 2}, []float64{1, 1, 1, 1, 1}, 2. / 16},
	} {
		if got := SignedRank(c.x, c.y); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	iv := SignedRankRatio(exp(after), exp(before), 0.96)
	// Hollander and Wolfe, examples 3.3 and 3.4: -0.46, with -0.786 and -0.010.
	for _, c := range [][2]float64{{iv.Median, -.46}, {iv.Low, -.786}, {iv.High, -.010}} {
		if math.Abs(math.Log(c[0])-c[1]) > 0.0005 {
			t.Errorf("%.4f, want %.3f", math.Log(c[0]), c[1])
		}
	}
	for _, bad := range [][2][]float64{{nil, nil}, {{1}, {1, 2}}, {{0}, {1}}, {{1}, {math.NaN()}}, {{math.Inf(1)}, {1}}} {
		if !math.IsNaN(SignedRank(bad[0], bad[1])) || !math.IsNaN(SignedRankRatio(bad[0], bad[1], .95).Median) || !math.IsNaN(PairedT(bad[0], bad[1], .95).Median) {
			t.Errorf("%v is tested", bad)
		}
	}
	if iv := SignedRankRatio([]float64{1, 2, 3, 4, 5}, []float64{1, 1, 1, 1, 1}, .95); !math.IsInf(iv.High, 1) || MostPairedConfidence(5) > .95 || MostPairedConfidence(6) < .95 {
		t.Errorf("five pairs: %+v", iv)
	}
}

// Intervals hold the truth as often as they say, also where what both of a pair share is larger by far,
// and at the highest level that so few pairs have.
func TestSignedRankCovers(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(11, 11))
	const draws, truth = 2000, 1.1
	for _, n := range []int{6, 8, 12, 24} {
		signed, student := 0, 0
		for range draws {
			var x, y []float64
			for range n {
				shared := math.Exp(0.5 * random.NormFloat64())
				x = append(x, truth*shared*math.Exp(0.03*random.NormFloat64()))
				y = append(y, shared*math.Exp(0.03*random.NormFloat64()))
			}
			if SignedRankRatio(x, y, .95).Covers(truth) {
				signed++
			}
			if PairedT(x, y, .95).Covers(truth) {
				student++
			}
		}
		for name, held := range map[string]int{"signed ranks": signed, "t": student} {
			if share := float64(held) / draws; share < 0.935 || share > 0.985 {
				t.Errorf("%s of %d pairs: %.3f", name, n, share)
			}
		}
	}
}
