package harness

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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
// caller: the fewest of many looks, since the runtime's own come and go, and are at
// work while it collects garbage.
func othersAtWork() int {
	const looks = 40
	read := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	fewest := math.MaxInt
	for i := 0; i < looks && fewest > 0; i++ {
		time.Sleep(250 * time.Microsecond)
		metrics.Read(read)
		fewest = min(fewest, int(read[0].Value.Uint64()+read[1].Value.Uint64())-1)
	}
	return max(fewest, 0)
}
