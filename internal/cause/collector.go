package cause

import (
	"math"
	"runtime/metrics"

	"github.com/syncwrite/syncwrite/results"
)

// mostBetweenReckonings is by how much the collector's share of the processor time may
// differ between the runtime's account and the system's; beyond, neither is told.
const mostBetweenReckonings = 0.05

// collectorUsage is the runtime's account of its time on processors, in seconds. The
// runtime reckons by the clock while it believes to hold a processor, and says itself
// (runtime/metrics, /cpu/classes) that no figure of the system's compares with that: where
// the machine takes a processor away, or has fewer than GOMAXPROCS, it counts on.
type collectorUsage struct {
	collecting results.Number // without pauses, in which most processors do nothing
	running    results.Number // all but idle, without pauses
}

func takeCollector() collectorUsage {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/gc/pause:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
	metrics.Read(samples)
	gc, pause, all, idle := number(samples[0].Value), number(samples[1].Value), number(samples[2].Value), number(samples[3].Value)
	return collectorUsage{collecting: gc - pause, running: all - idle - pause}
}

// since is the collector's part of the processor time that the process used since then,
// as the system counts it: the runtime's share of it. It is missing where the runtime's
// share and that of its seconds in the system's time are apart: by processors that the
// machine took away, or by a goroutine that kept its own while a system call blocked it.
func (c collectorUsage) since(then collectorUsage, usedNS results.Number) results.Number {
	collecting, running := grown(c.collecting, then.collecting), grown(c.running, then.running)
	if collecting == 0 {
		return 0
	}
	share, ofSystem := collecting/running, collecting*1e9/usedNS
	if apart := math.Abs(float64(ofSystem - share)); !(apart <= mostBetweenReckonings) {
		return results.Missing()
	}
	return share * usedNS
}
