package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A durable log that appends on and on takes no more memory for that, and one that is closed takes none, however
// long the collector does not come; on one processor, where the sealer does not come either.
func TestMemoryDoesNotWaitForTheCollector(t *testing.T) {
	if racing.Detector {
		t.Skip("the race detector has memory of its own")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, procs := range []int{1, runtime.GOMAXPROCS(0)} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			wantLittleMemory(t)
		})
	}
}

func wantLittleMemory(t *testing.T) {
	t.Helper()
	before := anonymous(t)
	log, err := OpenFile(filepath.Join(t.TempDir(), "log"), FileOptions{Durability: Always, SegmentSize: 4 << 20})
	must(t, err)
	value := make([]byte, 64<<10)
	for range 1600 {
		_, err := log.AppendBatch([][]byte{value})
		must(t, err)
	}
	if took := anonymous(t) - before; took > 40<<20 {
		t.Errorf("100 MiB that were appended take %d MiB", took>>20)
	}
	must(t, log.Close())
	if took := anonymous(t) - before; took > 10<<20 {
		t.Errorf("a closed log takes %d MiB", took>>20)
	}
}

// So does the segment in which a truncation ended the log, once it has its table: nothing rolled behind it.
func TestMemoryOfACutSegmentIsGivenBack(t *testing.T) {
	log := openWith(t, crashdisk.New(), FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
	mustAppend(t, log, "a", "b", "c")
	cut := log.tail.segment.output
	must(t, log.TruncateSuffix(2))
	mustAppend(t, log, "d")
	log.sealAll()
	if first, done := cut.first.Load(), cut.done.Load(); first != done {
		t.Errorf("bytes %d to %d are in memory", first, done)
	}
}

// Memory is given back by whole large pages, and never more than is to be kept of it.
func TestWholePagesAreGivenBack(t *testing.T) {
	o := output{kept: defaultKept}
	for to := int64(defaultKept); to < 40<<20; to += 123457 {
		first := o.keptFrom(to)
		if kept := to - first; first%disk.MostZeros != 0 || kept < defaultKept || kept >= defaultKept+disk.MostZeros {
			t.Errorf("of %d bytes those from %d on are kept", to, first)
		}
	}
}

// anonymous is how much memory that is no file's this process has.
func anonymous(t *testing.T) (bytes int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	must(t, err)
	for line := range strings.Lines(string(status)) {
		if n, _ := fmt.Sscanf(line, "RssAnon: %d kB", &bytes); n == 1 {
			return bytes << 10
		}
	}
	t.Skip("the system does not tell")
	return 0
}
