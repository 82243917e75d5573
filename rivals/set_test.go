package main

import (
	"testing"

	mapset "github.com/deckarep/golang-set/v2"

	"github.com/syncwrite/syncwrite/harness"
)

// A set that loses an addition, keeps what was removed or miscounts itself does
// not pass.
func TestSetCheckFindsLoss(t *testing.T) {
	for name, plant := range map[string]func(crowd) crowd{
		"none":             func(c crowd) crowd { return c },
		"a lost addition":  func(c crowd) crowd { add := c.add; c.add = every(100, add); return c },
		"a lost removal":   func(c crowd) crowd { remove := c.remove; c.remove = every(100, remove); return c },
		"a wrong length":   func(c crowd) crowd { c.length = func() int { return 0 }; return c },
		"a foreign answer": func(c crowd) crowd { c.contains = func(int) bool { return true }; return c },
	} {
		for _, open := range []func() crowd{ourSet, ourNonTS, theirSet(mapset.NewSet[int]), bareMap} {
			const ops = 20_000
			setup := harness.Setup{Goroutines: 1, Ops: ops, Seed: 7, Factors: map[string]string{"writes": "50"}}
			m := newMingling(setup, true, func() crowd { return plant(open()) })
			work := m.worker(0)
			for range ops {
				if err := work(); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.check(ops); (err == nil) != (name == "none") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// every leaves out each n-th call.
func every(n int, do func(int)) func(int) {
	calls := 0
	return func(element int) {
		if calls++; calls%n != 0 {
			do(element)
		}
	}
}
