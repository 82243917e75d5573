package stack

import (
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A Kind is what a goroutine's time went to, as results name it.
type Kind string

// Kinds.
const (
	Running   Kind = results.TimeRunning
	Runnable  Kind = results.TimeRunnable
	Lock      Kind = results.TimeLock
	Condition Kind = results.TimeCondition
	Channel   Kind = results.TimeChannel
	Sleep     Kind = results.TimeSleep
	Network   Kind = results.TimeNetwork
	System    Kind = results.TimeSystem
	Foreign   Kind = results.TimeForeign
	Flush     Kind = results.TimeFlush
	Collector Kind = results.TimeCollector
	Unknown   Kind = results.TimeUnknown
)

// ofReason is the kind of a wait by the reason that the runtime gives for it
// (runtime/traceruntime.go, traceBlockReasonStrings). A "sync" is told by what waits.
var ofReason = map[string]Kind{
	"network": Network, "select": Channel, "chan send": Channel, "chan receive": Channel,
	"sync.(*Cond).Wait": Condition, "sync": Lock, "sleep": Sleep,
	"GC mark assist wait for work": Collector, "wait until GC ends": Collector, "GC weak to strong wait": Collector,
}

// OfWait is the kind of a wait at a stack, for a reason that the runtime gives.
func (s Seen) OfWait(reason string) Kind {
	kind, known := ofReason[reason]
	switch {
	case !known:
		return Unknown
	case kind == Lock:
		return s.Sync
	case kind == Network:
		return s.poll
	}
	return kind
}

// ofSync is the kind of what of package sync waits, inside the standard library.
func ofSync(inner []Frame) Kind {
	switch {
	case within(inner, "sync.(*WaitGroup)."):
		return Condition
	case within(inner, "runtime.gc") && !within(inner, "sync.") && !within(inner, "internal/sync."): // its own semaphores
		return Collector
	}
	return Lock
}

// ofPoll is the kind of what waits for a descriptor: a pipe is one, too.
func ofPoll(inner []Frame) Kind {
	if within(inner, "os.(*File).") {
		return System
	}
	return Network
}

// flushes are the calls that bring a file to the disk.
var flushes = []string{"syscall.Fsync", "syscall.Fdatasync", "golang.org/x/sys/unix.Fsync", "golang.org/x/sys/unix.Fdatasync",
	"golang.org/x/sys/unix.SyncFileRange", "golang.org/x/sys/unix.Msync", "internal/poll.(*FD).Fsync"}

// ofCall is the kind of a system call at a stack.
func ofCall(frames []Frame) Kind {
	for _, f := range frames {
		if strings.HasSuffix(f.File, cgoFile) {
			return Foreign
		}
	}
	for _, name := range flushes {
		if within(frames, name) {
			return Flush
		}
	}
	return System
}

// within reports whether a function whose name begins so is on the stack.
func within(frames []Frame, name string) bool {
	for _, f := range frames {
		if strings.HasPrefix(f.Func, name) {
			return true
		}
	}
	return false
}
