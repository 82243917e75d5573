package harness

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Arrivals say when operations are due, whatever became of those before: the open
// loop. The zero value is the closed loop, in which a goroutine's next operation is
// due when its last one has returned.
type Arrivals struct {
	// Rates are operations a second: one is a constant rate; of several each is held
	// for an equal part of the window (steps).
	Rates []float64
	// To makes the rate rise evenly from the one in Rates to this (a ramp); 0 does not.
	To float64
	// Poisson draws the gaps between them from an exponential distribution, as of many
	// independent users; else they are even.
	Poisson bool
}

// Closed reports whether there are none.
func (a Arrivals) Closed() bool { return len(a.Rates) == 0 }

// ParseArrivals reads a rate, 100k/s, steps, 1k+2k+5k/s, or a ramp, 1k-10k/s; behind
// poisson: the gaps between them are drawn. It is the way back from String.
func ParseArrivals(text string) (a Arrivals, err error) {
	rates, poisson := strings.CutPrefix(text, results.DrawnRate)
	a.Poisson = poisson
	rates, perSecond := strings.CutSuffix(rates, "/s")
	if !perSecond {
		return a, fmt.Errorf("rate %q: not operations a second, such as 100k/s", text)
	}
	from, to, ramp := strings.Cut(rates, "-")
	if ramp && from != "" { // else it is a sign
		if a.To, err = parseRate(to); err != nil {
			return a, fmt.Errorf("rate %q: %w", text, err)
		}
		rates = from
	}
	for _, word := range strings.Split(rates, "+") {
		rate, err := parseRate(word)
		if err != nil {
			return a, fmt.Errorf("rate %q: %w", text, err)
		}
		a.Rates = append(a.Rates, rate)
	}
	if a.To > 0 && len(a.Rates) > 1 {
		return a, fmt.Errorf("rate %q: either steps or a ramp", text)
	}
	return a, nil
}

// parseRate reads a number with k or M behind it.
func parseRate(word string) (float64, error) {
	times := 1.0
	number := word
	switch {
	case strings.HasSuffix(word, "k"):
		number, times = strings.TrimSuffix(word, "k"), 1e3
	case strings.HasSuffix(word, "M"):
		number, times = strings.TrimSuffix(word, "M"), 1e6
	}
	rate, err := strconv.ParseFloat(number, 64)
	rate *= times
	switch {
	case err != nil || math.IsNaN(rate) || math.IsInf(rate, 0):
		return 0, fmt.Errorf("%q is no number", word)
	case rate <= 0:
		return 0, fmt.Errorf("%q: a rate must be above 0", word)
	}
	return rate, nil
}

// String is what ParseArrivals reads.
func (a Arrivals) String() string {
	if a.Closed() {
		return "closed"
	}
	var words []string
	for _, rate := range a.Rates {
		words = append(words, rateWord(rate))
	}
	text := strings.Join(words, "+")
	if a.To > 0 {
		text += "-" + rateWord(a.To)
	}
	if a.Poisson {
		text = results.DrawnRate + text
	}
	return text + "/s"
}

func rateWord(rate float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e6, "M"}, {1e3, "k"}} {
		if rate >= unit.size {
			return strconv.FormatFloat(rate/unit.size, 'g', -1, 64) + unit.name
		}
	}
	return strconv.FormatFloat(rate, 'g', -1, 64)
}

// mostRate is the highest rate: at ten million a second handing over an operation
// takes longer than the next one leaves.
const mostRate = 10e6

// mostDue is how many operations can be due in one trial. The moments of all are known
// before it begins, in 8 bytes each.
const mostDue = 100_000_000

// most is the highest rate at any moment.
func (a Arrivals) most() float64 { return max(slices.Max(a.Rates), a.To) }

// check says why operations cannot be due so in a window.
func (a Arrivals) check(window time.Duration) error {
	if a.most() > mostRate {
		return fmt.Errorf("rate %s: at most %s", a, Arrivals{Rates: []float64{mostRate}})
	}
	switch due := a.expected(window, window); {
	case due < 1 && !a.Poisson && window > 0:
		return fmt.Errorf("rate %s: no operation would be due in a trial of %v", a, window)
	case due > mostDue:
		return fmt.Errorf("rate %s: %.0f operations would be due in a trial of %v, at most %d can be", a, due, window, mostDue)
	}
	return nil
}

// expected is how many operations are due up to a moment of a window.
func (a Arrivals) expected(at, window time.Duration) float64 {
	t, whole := at.Seconds(), window.Seconds()
	if a.To > 0 {
		return a.Rates[0]*t + (a.To-a.Rates[0])*t*t/(2*whole)
	}
	sum, part := 0.0, whole/float64(len(a.Rates))
	for i, rate := range a.Rates {
		sum += rate * min(max(t-float64(i)*part, 0), part)
	}
	return sum
}

// moments are when operations are due, in nanoseconds from the window's start. Each is due
// in the middle of where one is expected, the n-th when n less a half are, and only where
// one is expected whole: so no more are due than was said, however many trials there are.
// Or they are due when as many are expected as drawn gaps add up to: a
// Poisson process of any rate is one of rate 1 in which time runs as fast as the rate
// is (the time change of Çinlar, Introduction to Stochastic Processes, 1975).
func (a Arrivals) moments(window time.Duration, random *rand.Rand) []int64 {
	due := make([]int64, 0, int(a.expected(window, window))+1)
	n, gap := 0.5, func() float64 { return 1 }
	if a.Poisson {
		gap = random.ExpFloat64
		n = gap()
	}
	whole := a.expected(window, window) + a.most()*1e-9 // a window is cut to whole nanoseconds
	for ; a.Poisson || n+0.5 <= whole; n += gap() {
		at, inside := a.when(n, window)
		if !inside {
			return due
		}
		due = append(due, at)
	}
	return due
}

// when is the moment at which n operations are expected; outside the window there is
// none.
func (a Arrivals) when(n float64, window time.Duration) (at int64, inside bool) {
	if n >= a.expected(window, window) {
		return 0, false
	}
	low, high := int64(0), int64(window)
	for low < high { // it only grows
		middle := low + (high-low)/2
		if a.expected(time.Duration(middle), window) < n {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < int64(window)
}
