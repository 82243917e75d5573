package cause

import (
	"os"
	"runtime/metrics"

	"github.com/syncwrite/syncwrite/results"
)

const (
	// schedSample is of how many waits the runtime records one (gTrackingPeriod in
	// runtime/runtime2.go): of those for a processor and, multiplied already, of those for
	// a mutex. Both are told by the goroutines that it tracks at the time.
	schedSample = 8
	// minSchedSamples is how many records carry an estimate of the rest.
	minSchedSamples = 50
)

// Snapshot is the process's consumption so far. Taking one allocates: keep it
// out of the window.
type Snapshot struct {
	process processUsage
	machine machineUsage
	runtime runtimeUsage
	ioCalls ioCalls

	throttled []results.Number // by quota
}

type runtimeUsage struct {
	allocs, allocBytes, gcCycles, mutexWait, schedWait, schedSamples results.Number
	collector                                                        collectorUsage
}

// Take reads all sources. What others use is that of the processors that this process may
// use, and of further ones, by number.
func Take(also ...int) Snapshot {
	root := os.DirFS("/")
	before := takeIOCalls(root)
	s := Snapshot{throttled: ownQuotas().throttled(root), runtime: takeRuntime(), process: takeProcess(), machine: takeMachine(also)}
	s.ioCalls = ioCalls{before: before, after: afterIOCalls(root)}
	return s
}

// Since is the usage between an earlier snapshot and this one.
func (s Snapshot) Since(start Snapshot) results.Usage {
	calls := grown(s.ioCalls.before, start.ioCalls.after)
	u := results.Usage{
		IOCalls:     &calls,
		UserNS:      grown(s.process.user, start.process.user),
		SystemNS:    grown(s.process.system, start.process.system),
		Voluntary:   grown(s.process.voluntary, start.process.voluntary),
		Involuntary: grown(s.process.involuntary, start.process.involuntary),
		Allocs:      grown(s.runtime.allocs, start.runtime.allocs),
		AllocBytes:  grown(s.runtime.allocBytes, start.runtime.allocBytes),
		GCCycles:    grown(s.runtime.gcCycles, start.runtime.gcCycles),
		MutexWaitNS: grown(s.runtime.mutexWait, start.runtime.mutexWait),
		SchedWaitNS: grown(s.runtime.schedWait, start.runtime.schedWait),
		StealNS:     grown(s.machine.steal, start.machine.steal),
		ThrottledNS: ownQuotas().throttledBetween(start.throttled, s.throttled),
	}
	if !carried(s.runtime.schedSamples - start.runtime.schedSamples) {
		u.SchedWaitNS, u.MutexWaitNS = results.Missing(), results.Missing()
	}
	u.GCCPUNS = s.runtime.collector.since(start.runtime.collector, u.UserNS+u.SystemNS)
	u.OthersNS = s.machine.others(start.machine, u.UserNS+u.SystemNS)
	return u
}

// carried reports whether there are records enough.
func carried(records results.Number) bool { return records >= minSchedSamples }

// Waited is how long the goroutines of a process waited for a processor, by what the runtime
// recorded of it: the sum in seconds, and how many. Missing where these are too few.
func Waited(seconds float64, records uint64) results.Number {
	if !carried(results.Number(records)) {
		return results.Missing()
	}
	return results.Number(seconds * 1e9 * schedSample)
}

// grown is by how much a count went up. It is never less than nothing, whatever the
// system or a hypervisor counts: results with less are refused.
func grown(now, then results.Number) results.Number { return max(now-then, 0) }

func takeRuntime() runtimeUsage {
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/sync/mutex/wait/total:seconds"},
		{Name: "/sched/latencies:seconds"},
	}
	metrics.Read(samples)
	schedSum, schedCount := sumHistogram(samples[4].Value)
	return runtimeUsage{
		allocs:     number(samples[0].Value),
		allocBytes: number(samples[1].Value),
		gcCycles:   number(samples[2].Value),
		mutexWait:  number(samples[3].Value) * 1e9,
		schedWait:  schedSum * 1e9 * schedSample,
		collector:  takeCollector(),

		schedSamples: schedCount,
	}
}

// number reads a metric; one this Go does not have is missing.
func number(v metrics.Value) results.Number {
	switch v.Kind() {
	case metrics.KindUint64:
		return results.Number(v.Uint64())
	case metrics.KindFloat64:
		return results.Number(v.Float64())
	}
	return results.Missing()
}

// sumHistogram estimates the sum of the recorded values.
func sumHistogram(v metrics.Value) (sum, count results.Number) {
	if v.Kind() != metrics.KindFloat64Histogram {
		return results.Missing(), results.Missing()
	}
	seconds, counted := sumBuckets(v.Float64Histogram())
	return results.Number(seconds), results.Number(counted)
}
