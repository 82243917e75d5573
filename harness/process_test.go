package harness

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Whatever a variant sets, wherever it does, the trials after it have what those
// before had.
func TestTrialLeavesTheProcessAsItWas(t *testing.T) {
	before := currentSettings()
	defer before.restore()
	set := func() {
		runtime.GOMAXPROCS(before.gomaxprocs + 1)
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(1 << 40)
	}
	idle := func(int) Operation { return func() error { return nil } }
	for name, open := range map[string]func(Setup) (Instance, error){
		"opening":   func(Setup) (Instance, error) { set(); return Instance{Worker: idle}, nil },
		"refused":   func(Setup) (Instance, error) { set(); return Instance{}, errors.New("planted") },
		"operation": Func("v", promise, func() error { set(); return nil }).Open,
		"failing":   Func("v", promise, func() error { set(); return errors.New("planted") }).Open,
		"closing": func(Setup) (Instance, error) {
			return Instance{Worker: idle, Close: func() error { set(); return nil }}, nil
		},
	} {
		_, err := once(t, Variant{Name: "v", Promise: promise, Open: open}, 1, 1, eachTimed)
		if (err != nil) != (name == "refused" || name == "failing") {
			t.Fatalf("%s: %v", name, err)
		}
		if after := currentSettings(); after != before {
			t.Errorf("%s: %+v, then %+v", name, before, after)
		}
	}
}

func TestCollectorOffIsRecorded(t *testing.T) {
	defer currentSettings().restore()
	debug.SetGCPercent(-1)
	if got := machine().GOGC; got != "off" {
		t.Errorf("GOGC %q", got)
	}
	debug.SetGCPercent(73)
	if got := machine().GOGC; got != "73" {
		t.Errorf("GOGC %q", got)
	}
}

// What spins on from an earlier trial is told of in a third of those that follow, at
// least, which is what a cell is doubted for; what waits disturbs nobody.
func TestLeftOverGoroutinesAreTold(t *testing.T) {
	const trials = 12
	told := func() (n int) {
		for range trials {
			trial, err := once(t, Func("v", promise, func() error { return nil }), 1, 1, eachTimed)
			if err != nil {
				t.Fatal(err)
			}
			if warned(trial, results.WarnLeft) {
				n++
			}
		}
		return n
	}
	wait := make(chan struct{})
	defer close(wait)
	go func() { <-wait }()
	if n := told(); n >= trials/3 {
		t.Errorf("told in %d of %d trials beside nobody", n, trials)
	}
	var done atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !done.Load() {
		}
	}()
	n := told()
	if done.Store(true); n < trials/3 {
		t.Errorf("told in %d of %d trials beside one that spins", n, trials)
	}
	<-ended
}
