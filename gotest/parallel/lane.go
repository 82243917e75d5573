package parallel

import _ "unsafe" // for go:linkname

// This file, doubt.go, window.go, calibrate.go, timer.go and totals.go are also compiled
// inside package testing (package gotest puts them there), so that there is one
// recorder and not two: they import sync, sync/atomic and hist alone, and use no
// Go newer than 1.22.

const (
	eachFrom = 1200    // ns: operations of at least this are timed one by one
	widest   = 1 << 15 // mean number of operations between two samples, at most
	held     = 64      // latencies a goroutine keeps before it hands them over
)

// A lane is one goroutine of a window: it decides which operations are timed,
// and accounts for all time from the first to the last.
//
// All of it happens where the goroutine has used up what it was dealt, so that
// the fast path of Next costs what it costs without.
type lane struct {
	window *window
	random uint64
	left   uint64 // operations acquired and not dealt yet
	ops    uint64 // operations dealt
	gap    uint64 // operations until the next sample

	spacing    int64 // mean gap; 0: every operation is timed
	generation int64 // of the window, when spacing was read
	timing     bool  // the operation that was dealt last is timed
	finished   bool
	returned   bool // the body did, which Skip or runtime.Goexit keeps it from

	switched  int64   // of the window, when the goroutine last asked
	resets    int64   // and these
	early     uint64  // operations that passed before the last of them, or may have
	begin     reading // when the goroutine began
	end       reading // and when it left
	gone      bool    // it has left
	before    int64   // clock at the first operation under this spacing
	opsBefore uint64  // operations dealt until then
	dropped   uint64  // of these, those that no latency tells of
	batch     uint64  // operations that are timed as a whole; 0: each by itself
	least     int64   // ns: least mean of a batch
	shorts    int     // operations in a row that were too short to be timed each
	last      int64   // last reading of the clock
	sampled   int64   // end of the last sample
	recorded  int64   // ns accounted for, operations and the stretches between
	longest   int64   // ns: longest stretch from the end of a sample to the end of the next
	latencies [held]int64
	count     int

	_ [128]byte // the next lane's goroutine writes to other cache lines
}

// settle ends the operation that was being timed, if there was one. It comes
// first whenever a goroutine asks for more.
func (l *lane) settle() {
	if !l.timing {
		if l.last == 0 {
			l.open()
		}
		return
	}
	l.timing = false
	now := l.window.now()
	latency := now - l.last
	l.sample(now)
	if !l.follow(now) {
		l.latencies[l.count] = latency
		if l.count++; l.count == held {
			l.window.take(l)
			l.pass(l.window.now())
		}
	}
	l.gap = l.draw()
	if l.spacing == 0 && l.window.unknown && !l.window.doubt.Load() {
		l.watch(latency)
	}
	if l.doubts() {
		l.judge(latency, 1)
	}
}

// open notes the first operation.
func (l *lane) open() {
	now := l.window.now()
	l.before, l.last, l.sampled = now, now, now
	l.least = 1<<63 - 1
	l.generation = l.window.generation.Load()
	l.spacing = l.window.spacing.Load()
	switch {
	case l.spacing > 0:
		l.gap = l.draw() / 2
	case l.window.short && l.doubts():
		l.widen(probation)
	}
}

// sample ends a sample, or a batch, at a reading of the clock.
func (l *lane) sample(now int64) {
	l.longest = max(l.longest, now-l.sampled)
	l.pass(now)
	l.sampled = now
}

// pass accounts for the time up to now.
func (l *lane) pass(now int64) {
	l.recorded += now - l.last
	l.last = now
}

// deal says how many operations may run before the lane is asked again; there
// is at least one left. Of the last before the next sample it makes a deal of
// one and reads the clock.
func (l *lane) deal() uint64 {
	if l.gap == 0 && l.batch > 0 {
		l.endBatch(l.window.now())
	}
	n := min(l.gap, l.left)
	if n == 0 {
		n = 1
		l.timing = true
		if l.spacing > 0 {
			l.pass(l.window.now())
		}
	} else {
		l.gap -= n
	}
	l.left -= n
	l.ops += n
	return n
}

// draw is the number of operations before the next sample: spacing on average,
// half of it to one and a half times as many (xorshift64: a few instructions,
// and no two goroutines in step).
func (l *lane) draw() uint64 {
	if l.spacing == 0 {
		return 0
	}
	x := l.random
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	l.random = x
	low := uint64(l.spacing+1) / 2
	return low + (x>>32)*uint64(l.spacing)>>32
}

// finish ends the last stretch: nothing more is dealt.
func (l *lane) finish() {
	if !l.finished && l.last != 0 {
		l.sample(l.window.now())
		l.finished = true
	}
}

// leave ends the goroutine's time, and the operation that it has if it has not asked for
// another one; that is left over where the body did not return. The window takes what it saw when it
// closes: until then the benchmark's timer may run.
func (l *lane) leave() {
	l.asks()
	if l.ops > 0 && !l.finished && !l.returned {
		l.left++
	}
	l.finish()
	l.end, l.gone = l.window.read(), true
}

// nanotime is the runtime's monotonic clock in nanoseconds: a third of the
// price of time.Now with time.Since.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64
