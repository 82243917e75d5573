// Package cause tells where the goroutines' time went, without looking into
// the timed window: it takes one snapshot before the start barrier and one
// after the last finish, and reports the difference as a [results.Usage].
//
// Sources: getrusage(2) for CPU time and context switches; runtime/metrics for
// allocations, the garbage collector, time blocked on mutexes and time spent
// runnable; /proc/stat for what the hypervisor and other processes took; cpu.stat of the
// control groups with a quota for how long it held the process back.
//
// Blind spots, by construction: channels, select, network, system calls and
// the lock inside os.File show up nowhere here; they are what remains
// unexplained. Collector time counts cycles that ended inside the window. The
// runtime samples one scheduling wait in eight, so those are multiplied by 8;
// with fewer than 50 samples in the window the estimate is missing.
//
// Do not use it for windows below about 10 ms: /proc/stat counts in ticks.
package cause
