package commitlog

import (
	"runtime"
	"testing"
)

// Who excludes all others gets on although somebody has a duty at every moment.
func TestExcludeNeedsNoQuietMoment(t *testing.T) {
	var r roster
	r.init()
	has := func(d duty) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.taken[d]
	}
	until := func(d duty) { // what never comes is the test's timeout
		for !has(d) {
			runtime.Gosched()
		}
	}
	r.take(flushing)
	excluded := make(chan func())
	go func() { excluded <- r.exclude() }()
	until(preparing)
	r.take(writing)
	r.give(flushing)
	until(flushing)
	r.give(writing)
	admit := <-excluded
	for d := range duties {
		if !has(d) {
			t.Errorf("duty %d is free while all are excluded", d)
		}
	}
	admit()
	for d := range duties {
		if has(d) {
			t.Errorf("duty %d was not given back", d)
		}
	}
}
