package stack

import (
	"os/exec"
	"strings"
	"testing"
)

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

// The place is the innermost line that is not the library's, whoever built the program; a test
// of the library's is none of it.
func TestPlace(t *testing.T) {
	for _, library := range []string{"/usr/local/go/src/", "/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.1.linux-amd64/src/", "C:/Go/src/", ""} {
		lock := Frame{Func: "sync.(*Mutex).Lock", File: library + "sync/mutex.go", Line: 46}
		sema := Frame{Func: "sync.runtime_Semacquire", File: library + "runtime/sema.go"}
		for want, caller := range map[string]Frame{
			"mine.go:7":     {Func: "example.com/mine.f", File: "/home/mine.go", Line: 7},
			"lib.go:8":      {Func: "planted.InLib", File: "/home/src/planted/lib.go", Line: 8},
			"trimmed.go:8":  {Func: "planted.InLib", File: "planted/trimmed.go", Line: 8},
			"mod.go:3":      {Func: "example.com/m.(*T).F", File: "example.com/m@v1.0.0/mod.go", Line: 3},
			"main.go:5":     {Func: "main.main.func1", File: "./main.go", Line: 5},
			"named.go:6":    {Func: "log.F", File: "/home/log/named.go", Line: 6},
			"map_test.go:9": {Func: "sync_test.BenchmarkMap.func1", File: library + "sync/map_test.go", Line: 9},
		} {
			at := Look([]Frame{{Func: "runtime.lock", File: library + "runtime/lock.go"}, sema, lock, caller, {Func: "testing.(*B).RunParallel.func1", File: library + "testing/benchmark.go"}})
			if at.String() != want || at.Place.Call != "sync.(*Mutex).Lock" {
				t.Errorf("%s: %+v, want %s", library, at, want)
			}
		}
	}
}

// All packages of the standard library begin so.
func TestRoots(t *testing.T) {
	all, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	for _, path := range strings.Fields(string(all)) {
		if !ofLibrary(path) {
			t.Errorf("%s is not of the library", path)
		}
	}
}
