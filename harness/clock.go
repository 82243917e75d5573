package harness

import _ "unsafe" // for go:linkname

// nanotime is the runtime's monotonic clock in nanoseconds: a third of the
// price of time.Now with time.Since (23 against 64 ns here), which is what
// makes timing every operation of a microsecond honest.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// clockStep is what the clock counts in, in ns: the greatest common divisor of
// the differences between its readings. Some count by the nanosecond, others in
// tens of them. It is 0 for a clock that stands still.
func clockStep(read func() int64) int64 {
	step, last := int64(0), read()
	for range 10_000 {
		now := read()
		step = divisor(step, now-last)
		last = now
	}
	return step
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
