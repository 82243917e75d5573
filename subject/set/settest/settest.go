// Package settest finds out whether a set keeps the contract of
// [set.Interface] and, if it is for many goroutines, the promise of [set.Set].
//
// A set's test says how to make one; Run does the rest:
//
//	func TestSet(t *testing.T) {
//		settest.Run(t, settest.Kind{ThreadSafe: true, Make: func(elements ...int) set.Interface[int] {
//			return set.New(elements...)
//		}})
//	}
//
// Each check can also be called alone. It returns what is wrong, so that a test
// can hold the check itself to account by giving it a broken set.
//
// The kit is no race detector: run it under one. It is not a benchmark: it
// measures nothing.
package settest

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/set"
)

// A MakeFunc makes a set of the elements.
type MakeFunc func(elements ...int) set.Interface[int]

// A Kind is a kind of set and what is promised for it.
type Kind struct {
	Make MakeFunc
	// ThreadSafe says that many goroutines may use one set: every call is
	// linearizable, and no two calls wait for each other for ever.
	ThreadSafe bool
}

// patience is how long no operation may end before it is called a deadlock.
// What it guards takes microseconds.
const patience = 30 * time.Second

// Run checks every part of the contract and of the promise, each in a subtest
// with sets of its own.
func Run(t *testing.T, k Kind) {
	t.Helper()
	run := func(name string, check func() error) {
		t.Run(name, func(t *testing.T) {
			if err := check(); err != nil {
				t.Error(err)
			}
		})
	}
	run("one set", func() error { return CheckOne(k.Make) })
	run("two sets", func() error { return CheckTwo(k.Make, k.Make) })
	run("with a Set", func() error { return CheckTwo(k.Make, threadSafe) })
	run("with a SetNonTS", func() error { return CheckTwo(k.Make, nonTS) })
	run("with a foreign set", func() error { return CheckTwo(k.Make, foreign) })
	run("all", func() error { return CheckAll(k.Make, patience) })
	run("json", func() error { return CheckJSON(k.Make) })
	if !k.ThreadSafe {
		return
	}
	run("concurrent", func() error { return CheckConcurrent(k.Make) })
	run("whole", func() error { return CheckWhole(k.Make) })
	run("linearizable", func() error { return CheckLinearizable(k.Make) })
	run("no deadlock", func() error { return CheckNoDeadlock(k.Make, patience) })
}

func threadSafe(elements ...int) set.Interface[int] { return set.New(elements...) }

func nonTS(elements ...int) set.Interface[int] { return set.NewNonTS(elements...) }

// foreign is a set that package set cannot look into.
func foreign(elements ...int) set.Interface[int] {
	return struct{ set.Interface[int] }{set.NewNonTS(elements...)}
}
