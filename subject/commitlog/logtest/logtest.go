// Package logtest finds out whether a log keeps the contract of
// [commitlog.Log] and the promise its author makes for it.
//
// A backend's test names the promise and how to open the log; Run does the
// rest:
//
//	func TestFile(t *testing.T) {
//		logtest.Run(t, logtest.Backend{
//			Order: "total", Result: "linearizable", Survives: "process-crash",
//			Open: func(path string) (commitlog.Log, error) {
//				return commitlog.OpenFile(path, commitlog.FileOptions{})
//			},
//		})
//	}
//
// Each check can also be called alone. It returns what is wrong, so that a
// test can hold the check itself to account by giving it a broken log.
//
// The kit cannot cut the power. It holds a log that claims to survive a power
// cut to what survives a crash of the process, and a backend has to prove the
// difference by tests of its own. It is not a benchmark: it measures nothing.
package logtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// An OpenFunc opens the log at path, or makes one there. The directory of
// path exists. A log that keeps nothing may ignore the path.
type OpenFunc func(path string) (commitlog.Log, error)

// A Backend is a kind of log and what is promised for it.
type Backend struct {
	// Order must be "total": one order for all appends.
	Order string
	// Result must be "linearizable".
	Result string
	// Survives is what an acknowledged append survives: "nothing",
	// "process-crash" or "power-cut".
	Survives string
	// Open opens a log.
	Open OpenFunc
}

// Run checks every part of the contract and of the promise, each in a subtest
// with a log of its own. The full disk needs root, to mount a small one; its
// subtest is skipped elsewhere.
func Run(t *testing.T, b Backend) {
	t.Helper()
	if b.Order != "total" || b.Result != "linearizable" {
		t.Fatalf("promise %q, %q: a log must be total and linearizable", b.Order, b.Result)
	}
	b.runOpened(t, "values", CheckValues)
	b.runOpened(t, "concurrent appends", CheckConcurrentAppends)
	b.runOpened(t, "get during appends", CheckGetDuringAppends)
	b.runOpened(t, "linearizable", CheckLinearizable)
	b.runOpened(t, "use after close", CheckClosed)
	switch b.Survives {
	case "nothing":
	case "process-crash", "power-cut":
		b.runStored(t, "reopen", CheckReopen)
		b.runStored(t, "reopen values", CheckReopenValues)
		b.runStored(t, "crash", CheckCrash)
		b.runStored(t, "path that cannot be opened", CheckBadPath)
		t.Run("full disk", func(t *testing.T) {
			report(t, CheckFullDisk(b.Open, smallDisk(t)))
		})
	default:
		t.Fatalf("promise: survives %q is none of nothing, process-crash, power-cut", b.Survives)
	}
}

func (b Backend) runOpened(t *testing.T, name string, check func(commitlog.Log) error) {
	t.Run(name, func(t *testing.T) {
		log, err := b.Open(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close() // CheckClosed has done so; the others have not
		report(t, check(log))
	})
}

func (b Backend) runStored(t *testing.T, name string, check func(OpenFunc, string) error) {
	t.Run(name, func(t *testing.T) { report(t, check(b.Open, t.TempDir())) })
}

func report(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// smallDisk mounts a file system of 16 MiB for the length of the test.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if os.Getuid() != 0 {
		absent(t, "mounting a small disk needs root")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", dir).CombinedOutput(); err != nil {
		absent(t, fmt.Sprintf("no small disk can be mounted here: %v: %s", err, out))
	}
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

// unmount tries more than once: what a log has mapped is let go of by the
// garbage collector.
func unmount(t *testing.T, dir string) {
	var out []byte
	var err error
	for range 10 {
		if out, err = exec.Command("umount", dir).CombinedOutput(); err == nil {
			return
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("unmount the small disk: %v: %s", err, out)
}

// absent skips a test for want of something; with SYNCWRITE_REQUIRE=1 in the
// environment, as in make check, it fails it.
func absent(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
		t.Fatal("required: " + reason)
	}
	t.Skip(reason)
}
