package commitlog_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/logtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openMemory(string) (commitlog.Log, error) {
	return commitlog.OpenMemory(commitlog.MemoryOptions{}), nil
}

func openTinyChunks(string) (commitlog.Log, error) {
	return commitlog.OpenMemory(commitlog.MemoryOptions{ChunkSize: 64}), nil
}

func openFile(path string) (commitlog.Log, error) {
	return commitlog.OpenFile(path, commitlog.FileOptions{})
}

func openDurable(path string) (commitlog.Log, error) {
	return commitlog.OpenFile(path, commitlog.FileOptions{Durability: commitlog.Always})
}

// openAt opens a file log at one level, in segments so small that all checks
// roll over them.
func openAt(durability commitlog.Durability) logtest.OpenFunc {
	return func(path string) (commitlog.Log, error) {
		return commitlog.OpenFile(path, commitlog.FileOptions{
			Durability: durability, Interval: time.Millisecond, SegmentSize: 4096,
		})
	}
}

func openAsync(inner logtest.OpenFunc, queue int) logtest.OpenFunc {
	return func(path string) (commitlog.Log, error) {
		log, err := inner(path)
		if err != nil {
			return nil, err
		}
		return commitlog.NewAsync(log, commitlog.AsyncOptions{Queue: queue}), nil
	}
}

func TestPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("every backend at every promise: run without -short")
	}
	for _, c := range []struct {
		name, survives string
		open           logtest.OpenFunc
	}{
		{"memory", "nothing", openMemory},
		{"memory in tiny chunks", "nothing", openTinyChunks},
		{"file", "process-crash", openFile},
		{"file in small segments", "process-crash", openAt(commitlog.None)},
		{"file at intervals", "process-crash", openAt(commitlog.Interval)},
		{"durable file in small segments", "power-cut", openAt(commitlog.Always)},
		{"durable file", "power-cut", openDurable},
		{"async memory", "nothing", openAsync(openMemory, 0)},
		{"async memory, queue of one", "nothing", openAsync(openMemory, 1)},
		{"async file", "nothing", openAsync(openFile, 0)},
		{"async durable file", "nothing", openAsync(openDurable, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			logtest.Run(t, logtest.Backend{Order: "total", Result: "linearizable", Survives: c.survives, Open: c.open})
		})
	}
}

// Closing an Async keeps what it accepted, so that over a file it reopens
// like one, although an append alone survives nothing.
func TestAsyncReopens(t *testing.T) {
	if err := logtest.CheckReopen(openAsync(openFile, 8), t.TempDir()); err != nil {
		t.Error(err)
	}
}
