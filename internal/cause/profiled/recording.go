package profiled

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
)

// This file stands on its own, as gotest compiles it inside package testing, too, and uses no
// Go newer than 1.22.

const (
	blockRate     = 1e6 // ns: of blocking, one wait is recorded for each
	mutexFraction = 50  // of unlocks that somebody waited for, one is recorded of
)

// What a Recording has, in the runtime's format (runtime/pprof).
const (
	blockBefore = iota
	mutexBefore
	blockAfter
	mutexAfter
	processors
	Texts // how many there are
)

// A Recording is profiles that are being taken, and their texts once they are.
type Recording struct {
	texts [Texts]bytes.Buffer
	mutex int // the fraction that was set before
}

// Record begins to take profiles. It fails where the processors are being profiled already.
func Record() (*Recording, error) {
	r := &Recording{mutex: runtime.SetMutexProfileFraction(mutexFraction)}
	runtime.SetBlockProfileRate(blockRate)
	err := r.waits(blockBefore, mutexBefore)
	if err == nil {
		err = pprof.StartCPUProfile(&r.texts[processors])
	}
	if err != nil {
		r.restore()
		return nil, err
	}
	return r, nil
}

// Created is how many goroutines the process has started; 0 where the runtime
// does not say (before Go 1.26).
func Created() uint64 {
	sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	if metrics.Read(sample); sample[0].Value.Kind() == metrics.KindUint64 {
		return sample[0].Value.Uint64()
	}
	return 0
}

func (r *Recording) restore() {
	runtime.SetBlockProfileRate(0)
	runtime.SetMutexProfileFraction(r.mutex)
}

// End ends the profiles.
func (r *Recording) End() error {
	pprof.StopCPUProfile()
	r.restore()
	return r.waits(blockAfter, mutexAfter)
}

// waits takes the profiles of blocking and mutexes as they are by now.
func (r *Recording) waits(block, mutex int) error {
	for name, text := range map[string]int{"block": block, "mutex": mutex} {
		if err := pprof.Lookup(name).WriteTo(&r.texts[text], 0); err != nil {
			return fmt.Errorf("take the profile of %s: %w", name, err)
		}
	}
	return nil
}

// Text is one of what there is when the recording has ended.
func (r *Recording) Text(i int) []byte { return r.texts[i].Bytes() }
