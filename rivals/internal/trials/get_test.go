package trials

import (
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// A Get into its caller's buffer allocates nothing.
func TestGetAllocatesNothing(t *testing.T) {
	value := make([]byte, 128)
	log, err := fullOurs(logs.Within(t.TempDir()), value, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	get := log.reader(newIndices(10_000, 1, 0, len(value)))
	allocations := testing.AllocsPerRun(1000, func() {
		if err := get(); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%v allocations a Get", allocations)
	if allocations != 0 {
		t.Errorf("%v allocations a Get into a buffer", allocations)
	}
}

func TestStoredIsPastTheCache(t *testing.T) {
	cache, err := cacheSize()
	if err != nil {
		t.Skip(err)
	}
	for _, payload := range []int{0, 3, 128, 1024} {
		entries, err := storedEntries(pastCache, payload)
		if size := int64(entries) * int64(recordSize(payload)); err != nil || size < 4*cache || entries < 1<<20 {
			t.Errorf("payload %d: %d entries, %d bytes, cache of %d: %v", payload, entries, size, cache, err)
		}
	}
	for level, good := range map[string]bool{pastCache: true, "1": true, "0": false, "x": false} {
		if err := checkStored(level); (err == nil) != good {
			t.Errorf("level %s: %v", level, err)
		}
	}
}
