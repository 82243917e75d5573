package actor_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// cleanup counts when a value is no longer reachable.
func cleanup[T any](value *T, freed *atomic.Int64) {
	runtime.AddCleanup(value, func(freed *atomic.Int64) { freed.Add(1) }, freed)
}

// eventually collects garbage until something has come to pass. What is still
// out after a minute never will: a loaded machine takes seconds.
func eventually(t *testing.T, passed func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		runtime.GC()
		if passed() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it did not come to pass")
}
