package harness

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"time"
)

// processSettings are those of the runtime that a variant can change for all
// that come after it.
type processSettings struct {
	gomaxprocs  int
	gcPercent   int // -1: off
	memoryLimit int64
}

func currentSettings() processSettings {
	read := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(read)
	return processSettings{runtime.GOMAXPROCS(0), int(int64(read[0].Value.Uint64())), int64(read[1].Value.Uint64())}
}

// restore puts back what has changed since.
func (s processSettings) restore() {
	now := currentSettings()
	if now.gomaxprocs != s.gomaxprocs {
		runtime.GOMAXPROCS(s.gomaxprocs)
	}
	if now.gcPercent != s.gcPercent {
		debug.SetGCPercent(s.gcPercent)
	}
	if now.memoryLimit != s.memoryLimit {
		debug.SetMemoryLimit(s.memoryLimit)
	}
}

// gogc is the collector's setting as the variable GOGC has it.
func (s processSettings) gogc() string {
	if s.gcPercent < 0 {
		return "off"
	}
	return strconv.Itoa(s.gcPercent)
}

// othersAtWork counts the goroutines that are executing, or ready to, besides the
// caller. It looks again while it sees any: the runtime's own, and those of the last
// trial that have yet to end, are gone soon, however busy the machine. A collection
// that goes on is waited for: its workers count.
func othersAtWork() int {
	runtime.GC()
	fewest := lookAtWork()
	for _, wait := range []time.Duration{4 * time.Millisecond, 16 * time.Millisecond} {
		if fewest > 0 {
			time.Sleep(wait)
			fewest = min(fewest, lookAtWork())
		}
	}
	return fewest
}

// lookAtWork is the median of a few looks: others may rest now and then.
func lookAtWork() int {
	read := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	var looks [5]int
	for i := range looks {
		time.Sleep(250 * time.Microsecond)
		metrics.Read(read)
		looks[i] = int(read[0].Value.Uint64()+read[1].Value.Uint64()) - 1
	}
	slices.Sort(looks[:])
	return max(looks[len(looks)/2], 0)
}
