package harness

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
	for _, text := range []string{"", "100", "0/s", "-1/s", "k/s", "1k+/s", "NaN/s", "Inf/s", "1k-/s", "1k+2k-3k/s", "Poisson:1/s", "1e999/s", "1e308M/s", "-5-10/s", "5--10/s"} {
		if a, err := ParseArrivals(text); err == nil {
			t.Errorf("%q: %v", text, a)
		}
	}
}

// What stands in front of a rate is its sign, and no ramp's hyphen.
func TestRatesAreAboveZero(t *testing.T) {
	for _, text := range []string{"-5/s", "0/s", "-1k/s", "poisson:-5/s", "1k--5/s"} {
		if _, err := ParseArrivals(text); err == nil || !strings.HasSuffix(err.Error(), ": a rate must be above 0") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Rates that cannot be measured are refused, with the window in which they would be.
func TestRatesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		rates  []string
		window time.Duration
		want   string
	}{
		{[]string{"10M/s"}, 10 * time.Second, ""},
		{[]string{"10M/s"}, 0, ""}, // 2 s
		{[]string{"11M/s"}, time.Second, "rate 11M/s: at most 10M/s"},
		{[]string{"10M/s"}, 11 * time.Second, "rate 10M/s: 110000000 operations would be due in a trial of 11s, at most 100000000 can be"},
		{[]string{"1k/s", "poisson:1k/s"}, 30 * time.Hour, "rate 1k/s: 108000000 operations would be due in a trial of 30h0m0s, at most 100000000 can be"},
		{[]string{"1-10M/s"}, 19 * time.Second, ""},
		{[]string{"1-10M/s"}, 21 * time.Second, "rate 1-10M/s: 105000010 operations would be due in a trial of 21s, at most 100000000 can be"},
		{[]string{"0.5/s"}, time.Second, "rate 0.5/s: no operation would be due in a trial of 1s"},
		{[]string{"poisson:0.5/s"}, time.Second, ""},
		{[]string{"1k/s", "2k/s", "1k/s"}, 0, "rate 1k/s: named twice"},
		{[]string{"1k/s", "1000/s"}, 0, "rate 1000/s: named twice"},
		{[]string{"0.001M+2k/s", "1k+2000/s"}, 0, "rate 1k+2000/s: named twice"},
		{[]string{"1k/s", "poisson:1k/s", "1k-2k/s", "1k+2k/s"}, 0, ""},
	} {
		got := ""
		if err := (Config{Rates: c.rates, Window: c.window}).Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v in %v: %q, want %q", c.rates, c.window, got, c.want)
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
		"4/s":     {125e6, 375e6, 625e6, 875e6},
		"4.9/s":   {102040817, 306122449, 510204082, 714285715},
		"2+4/s":   {250e6, 625e6, 875e6},
		"0.5/s":   {},
		"2-6/s":   {207106782, 500e6, 724744872, 914213563}, // n = 2t + 2t²
		"1+1+2/s": {500e6},
	} {
		got := moments(t, text, time.Second)
		near := func(a, b int64) bool { return max(a-b, b-a) <= 2 }
		if !slices.EqualFunc(got, want, near) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// Of any rate and window no more is due than was said, and all that is whole.
func TestNoMoreIsDueThanWasSaid(t *testing.T) {
	for rate, whole := range map[string]float64{"1/s": 1, "1.1/s": 1.1, "3/s": 3, "7/s": 7, "150/s": 150, "10k/s": 1e4} {
		for parts := 1; parts <= 7; parts++ {
			window := 20 * time.Second / time.Duration(parts)
			if said := whole * 20 / float64(parts); len(moments(t, rate, window)) != int(said+1e-4) {
				t.Errorf("%s in %v: %d due, %g said", rate, window, len(moments(t, rate, window)), said)
			}
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
