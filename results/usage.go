package results

import "fmt"

// Usage is what the process used in the window. What a platform cannot
// measure is missing.
type Usage struct {
	UserNS      Number `json:"user_ns"`
	SystemNS    Number `json:"system_ns"`
	Voluntary   Number `json:"voluntary_switches"`
	Involuntary Number `json:"involuntary_switches"`
	Allocs      Number `json:"allocs"`
	AllocBytes  Number `json:"alloc_bytes"`
	GCCycles    Number `json:"gc_cycles"`
	GCCPUNS     Number `json:"gc_cpu_ns"`
	MutexWaitNS Number `json:"mutex_wait_ns"` // goroutines blocked on sync.Mutex and RWMutex (1-in-8 sample × 8)
	SchedWaitNS Number `json:"sched_wait_ns"` // goroutines runnable, waiting for a processor (1-in-8 sample × 8)
	StealNS     Number `json:"steal_ns"`      // taken by the hypervisor, of the processors that the process may use
	OthersNS    Number `json:"others_ns"`     // used by other processes, of the same and of those that processes of the trial are held to
	ThrottledNS Number `json:"throttled_ns"`  // held back by a cgroup's quota, summed over processors; 0 without a quota
	// IOCalls is how often the process called the system to read or to write; nil in files
	// of before.
	IOCalls *Number `json:"io_calls,omitempty"`
}

// MissingUsage is the usage of what was not measured.
func MissingUsage() Usage {
	m := Missing()
	return Usage{m, m, m, m, m, m, m, m, m, m, m, m, m, nil}
}

// check refuses what nothing can have used.
func (u Usage) check() error {
	var calls Number
	if u.IOCalls != nil {
		calls = *u.IOCalls
	}
	return checkNumbers("usage", []named{
		{"io_calls", calls},
		{"user_ns", u.UserNS}, {"system_ns", u.SystemNS},
		{"voluntary_switches", u.Voluntary}, {"involuntary_switches", u.Involuntary},
		{"allocs", u.Allocs}, {"alloc_bytes", u.AllocBytes},
		{"gc_cycles", u.GCCycles}, {"gc_cpu_ns", u.GCCPUNS},
		{"mutex_wait_ns", u.MutexWaitNS}, {"sched_wait_ns", u.SchedWaitNS},
		{"steal_ns", u.StealNS}, {"others_ns", u.OthersNS}, {"throttled_ns", u.ThrottledNS},
	})
}

// A named number is one of a record.
type named struct {
	name  string
	value Number
}

// checkNumbers refuses negative ones. One that is missing is not negative, and JSON
// holds none that is not finite.
func checkNumbers(of string, all []named) error {
	for _, n := range all {
		if n.value < 0 {
			return fmt.Errorf("trial with %s.%s of %v", of, n.name, float64(n.value))
		}
	}
	return nil
}
