//go:build never

// Where the command asks for it, profiles of each window are taken: those of a benchmark's last
// one stay. See insidewhy.go; what takes them is that of internal/cause/profiled.

package testing

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
)

// profiling is the profiles of a window, and what is known of it besides.
type profiling struct {
	recording    *Recording
	file         string
	besides      int // goroutines that are neither of RunParallel nor of package testing
	began, ended waits
}

// waits are what the process has used and waited for so far.
type waits struct {
	look    look
	seconds float64 // for a processor, where the runtime recorded it
	locked  float64 // at mutexes, in seconds
	records uint64
	created uint64 // goroutines
}

// startProfiling starts the profiles of a window; nil where none are asked for, or can be had.
func (b *B) startProfiling() *profiling {
	if profileDir == "" || side == "" {
		return nil
	}
	p := &profiling{file: profileDir + string(os.PathSeparator) + b.whyFile(), besides: runtime.NumGoroutine() - 1}
	for of := b.parent; of != nil; of = of.parent {
		p.besides-- // it waits for this one
	}
	var err error
	if p.recording, err = Record(); err != nil {
		return nil
	}
	p.began = waitsSoFar()
	return p
}

func waitsSoFar() waits {
	w := waits{look: lookAround(), created: Created()}
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/sync/mutex/wait/total:seconds"}}
	if metrics.Read(sample); sample[0].Value.Kind() == metrics.KindFloat64Histogram {
		w.seconds, w.records = sumBuckets(sample[0].Value.Float64Histogram())
	}
	if sample[1].Value.Kind() == metrics.KindFloat64 {
		w.locked = sample[1].Value.Float64()
	}
	return w
}

func (p *profiling) stop() {
	if p == nil {
		return
	}
	p.ended = waitsSoFar()
	if p.recording.End() != nil {
		return
	}
	for i := 0; i < Texts; i++ {
		os.WriteFile(p.file+"."+strconv.Itoa(i), p.recording.Text(i), 0o666)
	}
}

// told is the part of a line that tells of them.
func (p *profiling) told() string {
	return fmt.Sprintf(" %d %d %g %g %d %q %q", p.besides, p.ended.created-p.began.created, p.ended.locked-p.began.locked, p.ended.seconds-p.began.seconds, p.ended.records-p.began.records, p.began.look.texts, p.ended.look.texts)
}
