package harness

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A made-up operation: what it takes, what the first of a window takes besides,
// what the first of the process takes, and by how much all that varies.
type pretend struct {
	each, first, once time.Duration
	noise             float64
}

// seconds is a window of so many operations, in virtual time.
func (p *pretend) seconds(random *rand.Rand) func(int) (float64, error) {
	started := false
	vary := func(d float64) float64 { return d * math.Exp(p.noise*random.NormFloat64()) }
	return func(ops int) (float64, error) {
		whole := vary(p.first.Seconds())
		if !started {
			whole += p.once.Seconds()
		}
		started = true
		if ops > 1000 { // many vary little
			return whole + vary(p.each.Seconds())*0.1*float64(ops) + p.each.Seconds()*0.9*float64(ops), nil
		}
		for range ops {
			whole += vary(p.each.Seconds())
		}
		return whole + 20e-6, nil
	}
}

// The marginal rate is that of the operation, whatever the first call of a
// window or of the process takes: within a factor of two in all draws, and
// within a quarter where nothing varies.
func TestRateIsThatOfLaterOperations(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name string
		op   pretend
	}{
		{"2 ns", pretend{each: 2}},
		{"2 µs", pretend{each: 2 * time.Microsecond}},
		{"2 µs, first call of 20 ms", pretend{each: 2 * time.Microsecond, first: 20 * time.Millisecond}},
		{"2 µs, first call of 50 ms", pretend{each: 2 * time.Microsecond, first: 50 * time.Millisecond}},
		{"2 µs, first call of 50 ms that varies", pretend{each: 2 * time.Microsecond, first: 50 * time.Millisecond, noise: 0.1}},
		{"2 µs, once 50 ms", pretend{each: 2 * time.Microsecond, once: 50 * time.Millisecond}},
		{"2 µs, once 2 s, then 5 ms", pretend{each: 2 * time.Microsecond, first: 5 * time.Millisecond, once: 2 * time.Second}},
		{"a flush of 1 ms", pretend{each: time.Millisecond, noise: 0.5}},
		{"a flush of 5 ms", pretend{each: 5 * time.Millisecond, noise: 0.5}},
		{"half a second", pretend{each: 500 * time.Millisecond}},
	} {
		allowed := 1.25
		if c.op.noise > 0 {
			allowed = 2
		}
		truth := math.Exp(c.op.noise*c.op.noise/2) * c.op.each.Seconds()
		worst := 1.0
		for range 2000 {
			p := c.op
			rate, startup, err := marginal(1, p.seconds(random))
			if err != nil {
				t.Fatal(err)
			}
			off := rate * truth
			worst = max(worst, off, 1/off)
			if startup < 0 || startup > 2*(c.op.first+c.op.once+10*c.op.each).Seconds()+1e-3 {
				t.Fatalf("%s: startup of %v s", c.name, startup)
			}
		}
		t.Logf("%s: off by at most %.2f", c.name, worst)
		if worst > allowed {
			t.Errorf("%s: the rate is off by a factor of %.2f, at most %.2f", c.name, worst, allowed)
		}
	}
}

// A trial has a hundred operations where that does not double its window.
func TestLeastOperations(t *testing.T) {
	for rate, want := range map[float64]int{1e6: 220_000, 1000: 220, 400: 100, 100: 44, 1: 1} {
		g := fitted(Config{Window: 220 * time.Millisecond, Trials: 6}, rate)
		if got := g.cells[0].Ops; got != want {
			t.Errorf("%v operations a second: %d a trial, want %d", rate, got, want)
		}
	}
}
