package trials

import (
	"runtime"
	"testing"
)

func TestCacheSizes(t *testing.T) {
	for text, want := range map[string]int64{"32768K": 32 << 20, "32M": 32 << 20, "512": 512} {
		if got, err := parseCacheSize(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	if _, err := parseCacheSize("big"); err == nil {
		t.Error("a word is a size")
	}
}

func TestDirtyLimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	limit, err := dirtyLimit()
	if err != nil || limit < 1<<20 {
		t.Fatalf("limit %d: %v", limit, err)
	}
	if before, err := bytesBefore(dirtyLimitLevel); err != nil || before <= limit {
		t.Errorf("%d bytes, limit %d: %v", before, limit, err)
	}
}
