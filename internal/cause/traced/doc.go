// Package traced tells from an execution trace of the runtime (runtime/trace) where the time
// of the goroutines of one window went, and at which lines: what they waited for, and what
// the goroutine did that made them go on.
//
// A goroutine takes part from Begin to the end of what that returns, and while it waits for a
// processor to begin. Each nanosecond of its
// time there is of one [Kind], as the events of the trace have it. [Read] parses in a stream:
// memory goes by the goroutines and the places, not by the events.
//
// What a trace cannot tell: a processor that spins, waits for memory, or shares a cache line
// with another is on a processor and no more; a thread that the system has taken off its
// processor counts as on it.
//
// Do not take figures from a window that is traced: tracing has a price. Whoever publishes a
// breakdown says how far the traced window's rate is from that of others.
package traced
