package workload

import (
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// A set that loses an addition, keeps what was removed, miscounts itself or what
// it changed does not pass, also where it does not tell what it changed.
func TestALyingSetVoidsTheTrial(t *testing.T) {
	for name, plant := range map[string]func(Set) Set{
		"none":             func(s Set) Set { return s },
		"a lost addition":  func(s Set) Set { s.Add = every(100, s.Add); return s },
		"a lost removal":   func(s Set) Set { s.Remove = every(100, s.Remove); return s },
		"a wrong length":   func(s Set) Set { s.Len = func() int { return 0 }; return s },
		"a foreign answer": func(s Set) Set { s.Contains = func(int) bool { return true }; return s },
		"a wrong count":    func(s Set) Set { add := s.Add; s.Add = func(e int) int { return min(add(e)+1, 1) }; return s },
	} {
		for _, shared := range []bool{true, false} {
			for _, open := range []func() Set{NewSet, NewNonTS, NewBareMap} {
				err := useSet(t, shared, func() Set { return plant(open()) })
				if (err == nil) != (name == "none") {
					t.Errorf("%s, shared %t: %v", name, shared, err)
				}
				if name == "a wrong count" {
					continue
				}
				silent := func() Set {
					s := plant(open())
					add, remove := s.Add, s.Remove
					s.Add = func(e int) int { add(e); return Untold }
					s.Remove = func(e int) int { remove(e); return Untold }
					return s
				}
				if err := useSet(t, shared, silent); (err == nil) != (name == "none") {
					t.Errorf("%s, untold, shared %t: %v", name, shared, err)
				}
			}
		}
	}
}

// useSet has three goroutines' operations done in turn and returns what they or
// the check said.
func useSet(t *testing.T, shared bool, open func() Set) error {
	t.Helper()
	const n, ops = 3, 30_000
	s := harness.Setup{Goroutines: n, Ops: ops, Seed: 7, Factors: map[string]string{"writes": "50", "elements": "1000"}}
	trial, err := newSetTrial(s, shared, open)
	if err != nil {
		t.Fatal(err)
	}
	var operations [n]harness.Operation
	for g := range operations {
		operations[g] = trial.operation(g)
	}
	for i := range ops {
		if err := operations[i%n](); err != nil {
			return err
		}
	}
	return trial.check(ops)
}

// every leaves out each n-th call.
func every(n int, do func(int) int) func(int) int {
	calls := 0
	return func(element int) int {
		if calls++; calls%n != 0 {
			return do(element)
		}
		return 0
	}
}

// Every goroutine needs an element of its own.
func TestElementsGoRound(t *testing.T) {
	s := harness.Setup{Goroutines: 3, Factors: map[string]string{"writes": "50", "elements": "2"}}
	if _, err := newSetTrial(s, true, NewSet); err == nil {
		t.Error("2 elements went round 3 goroutines")
	}
	if _, err := newSetTrial(s, false, NewSet); err != nil {
		t.Error(err)
	}
}
