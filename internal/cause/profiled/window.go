// Package profiled tells from the runtime's profiles (of blocking, of mutexes and of the
// processors) where the time of some goroutines of a window went, where an execution trace
// costs too much: what is sampled costs the same however often goroutines hand over.
//
// What profiles cannot tell: how long a goroutine slept, waited for the network, was in a
// system call without a processor, or waited for one. Whoever publishes a breakdown says how
// much of the time is left.
package profiled

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
)

const (
	blockRate     = time.Millisecond // of blocking, one wait is recorded for each
	mutexFraction = 50               // of unlocks that somebody waited for, one is recorded of
)

// A Recording is profiles that are being taken.
type Recording struct {
	before [2]*profile.Profile // of blocking and mutexes
	cpu    bytes.Buffer
	mutex  int // the fraction that was set before
}

// Record begins to take profiles. It fails where the processors are being profiled already.
func Record() (*Recording, error) {
	r := &Recording{mutex: runtime.SetMutexProfileFraction(mutexFraction)}
	runtime.SetBlockProfileRate(int(blockRate))
	var err error
	if r.before, err = waits(); err == nil {
		err = pprof.StartCPUProfile(&r.cpu)
	}
	if err != nil {
		r.restore()
		return nil, err
	}
	return r, nil
}

func (r *Recording) restore() {
	runtime.SetBlockProfileRate(0)
	runtime.SetMutexProfileFraction(r.mutex)
}

// Stop ends the profiles and reads of them what befell goroutines in a call of the named
// function.
func (r *Recording) Stop(within string) (*Samples, error) {
	pprof.StopCPUProfile()
	r.restore()
	after, err := waits()
	if err != nil {
		return nil, err
	}
	cpu, err := profile.ParseData(r.cpu.Bytes())
	if err != nil {
		return nil, fmt.Errorf("read profile of the processors: %w", err)
	}
	var window [2]*profile.Profile
	for i := range window {
		r.before[i].Scale(-1)
		if window[i], err = profile.Merge([]*profile.Profile{after[i], r.before[i]}); err != nil {
			return nil, fmt.Errorf("take what was before off a profile: %w", err)
		}
	}
	return &Samples{
		Blocked:  sums(window[0], within, blocked),
		Unlocked: sums(window[1], "", blocked),
		Ran:      sums(cpu, within, ran), All: sums(cpu, "", ran).Total(),
		Profiles: map[string]*profile.Profile{"block": window[0], "mutex": window[1], "cpu": cpu},
	}, nil
}

// waits are the profiles of blocking and mutexes so far.
func waits() (both [2]*profile.Profile, err error) {
	for i, name := range []string{"block", "mutex"} {
		var text bytes.Buffer
		if err = pprof.Lookup(name).WriteTo(&text, 0); err == nil {
			both[i], err = profile.ParseData(text.Bytes())
		}
		if err != nil {
			return both, fmt.Errorf("read profile of %s: %w", name, err)
		}
	}
	return both, nil
}
