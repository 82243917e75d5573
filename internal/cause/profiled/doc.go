// Package profiled tells from the runtime's profiles (of blocking, of mutexes and of the
// processors) where the time of some goroutines of a window went, where an execution trace
// costs too much: what is sampled costs the same however often goroutines hand over.
//
// What profiles cannot tell: how long a goroutine slept, waited for the network, was in a
// system call without a processor, or waited for one. Whoever publishes a breakdown says how
// much of the time is left.
package profiled
