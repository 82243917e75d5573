package harness

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

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
		_, err := once(t, Variant{Name: "v", Promise: promise, Open: open}, 1, 1, true)
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

// What spins on from an earlier trial is told of; what waits disturbs nobody.
func TestLeftOverGoroutinesAreTold(t *testing.T) {
	var done atomic.Bool
	wait := make(chan struct{})
	defer close(wait)
	go func() { <-wait }()
	idle := Func("v", promise, func() error { return nil })
	if quiet, err := once(t, idle, 1, 1, true); err != nil || warned(quiet, results.WarnLeft) {
		t.Errorf("warnings %v, %v", quiet.Warnings, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; !done.Load(); i++ {
			if i%(1<<24) == 0 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	}()
	beside, err := once(t, idle, 1, 1, true)
	if done.Store(true); err != nil || !warned(beside, results.WarnLeft) {
		t.Errorf("warnings %v, %v", beside.Warnings, err)
	}
	<-ended
}
