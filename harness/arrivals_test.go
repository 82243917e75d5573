package harness

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Whatever is parsed is written as it was.
func TestArrivalsAreReadAndWritten(t *testing.T) {
	for _, text := range []string{"100k/s", "1/s", "2.5k/s", "1M/s", "1k-10k/s", "1k+2k+5k/s", "poisson:100/s", "poisson:1k-2k/s"} {
		a, err := ParseArrivals(text)
		if err != nil || a.String() != text {
			t.Errorf("%s: %v, %v", text, a, err)
		}
	}
	for _, text := range []string{"", "100", "0/s", "-1/s", "k/s", "1k+/s", "NaN/s", "Inf/s", "1k-/s", "1k+2k-3k/s", "Poisson:1/s", "1e999/s"} {
		if a, err := ParseArrivals(text); err == nil {
			t.Errorf("%q: %v", text, a)
		}
	}
}

func moments(t *testing.T, text string, window time.Duration) []int64 {
	t.Helper()
	a, err := ParseArrivals(text)
	if err != nil {
		t.Fatal(err)
	}
	due := a.moments(window, rand.New(rand.NewPCG(1, 2)))
	if !slices.IsSorted(due) || len(due) > 0 && (due[0] < 0 || due[len(due)-1] >= int64(window)) {
		t.Errorf("%s: not in order, or outside the window", text)
	}
	return due
}

// The moments of each kind are those that its formula gives.
func TestMoments(t *testing.T) {
	for text, want := range map[string][]int64{
		"4/s":     {0, 250e6, 500e6, 750e6},
		"2+4/s":   {0, 500e6, 750e6},
		"0.5/s":   {0},
		"2-6/s":   {0, 366025404, 618033989, 822875656}, // n = 2t + 2t²
		"1+1+2/s": {0, 833333334},
	} {
		got := moments(t, text, time.Second)
		near := func(a, b int64) bool { return max(a-b, b-a) <= 2 }
		if !slices.EqualFunc(got, want, near) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// A Poisson process has as many arrivals as expected, give or take four standard
// deviations, and gaps that vary as much as they are long.
func TestPoisson(t *testing.T) {
	const n = 100_000
	due := moments(t, "poisson:10k/s", 10*time.Second)
	if math.Abs(float64(len(due))-n) > 4*math.Sqrt(n) {
		t.Errorf("%d arrivals, want about %d", len(due), n)
	}
	sum, squares := 0.0, 0.0
	for i := 1; i < len(due); i++ {
		gap := float64(due[i] - due[i-1])
		sum, squares = sum+gap, squares+gap*gap
	}
	mean := sum / float64(len(due)-1)
	deviation := math.Sqrt(squares/float64(len(due)-1) - mean*mean)
	if math.Abs(mean-1e5) > 2e3 || math.Abs(deviation-mean) > 0.02*mean {
		t.Errorf("gaps of %v ns, deviating by %v", mean, deviation)
	}
}
