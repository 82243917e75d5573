package stack

import "testing"

// What waits, or calls, inside the library is told by who is on the stack: the collector's own
// semaphores are no lock, and C code no system call.
func TestKindOfStacks(t *testing.T) {
	frames := func(names ...string) (all []Frame) {
		for _, name := range names {
			all = append(all, Frame{Func: name})
		}
		return all
	}
	for _, c := range []struct {
		inner []Frame
		want  Kind
	}{
		{frames("runtime.gcStart", "runtime.mallocgc"), Collector},
		{frames("runtime.gcMarkDone", "runtime.gcAssistAlloc"), Collector},
		{frames("sync.(*Mutex).Lock"), Lock},
		{frames("internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock"), Lock},
		{frames("internal/poll.(*fdMutex).rwlock", "os.(*File).Write"), Lock},
		{frames("sync.(*WaitGroup).Wait"), Condition},
	} {
		if got := ofSync(c.inner); got != c.want {
			t.Errorf("%v waits: %s, want %s", c.inner, got, c.want)
		}
	}
	if got := ofCall([]Frame{{Func: "main._Cfunc_f", File: cgoFile}}); got != Foreign {
		t.Errorf("a call of C is %s", got)
	}
	if got := ofCall(frames("syscall.write")); got != System {
		t.Errorf("a call of the system is %s", got)
	}
}

// The place is the innermost line that is not the library's; a test of the library's is none of it.
func TestPlace(t *testing.T) {
	lock := Frame{Func: "sync.(*Mutex).Lock", File: library + "sync/mutex.go", Line: 46}
	for want, caller := range map[string]Frame{
		"mine.go:7":     {Func: "example.com/mine.f", File: "/home/mine.go", Line: 7},
		"map_test.go:9": {Func: "sync_test.BenchmarkMap.func1", File: library + "sync/map_test.go", Line: 9},
	} {
		at := Look([]Frame{{Func: "runtime.lock", File: library + "runtime/lock.go"}, lock, caller, {Func: "testing.(*B).RunParallel.func1", File: library + "testing/benchmark.go"}})
		if at.String() != want || at.Place.Call != "sync.(*Mutex).Lock" {
			t.Errorf("%+v, want %s", at, want)
		}
	}
}
