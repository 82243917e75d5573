package memory

import (
	"runtime"
	"testing"
)

// A trial finds twice what it writes warm, within bounds; and what is written
// for each entry is its record and what is kept of it beside.
func TestWanted(t *testing.T) {
	for _, c := range []struct {
		appends, record int
		want            int64
	}{{1, 16, Least}, {1 << 18, 1040, 2 << 18 * (1040 + 64)}, {1 << 30, 1040, Most}} {
		if got := Wanted(c.appends, c.record); got != c.want {
			t.Errorf("%d records of %d bytes: %d, want %d", c.appends, c.record, got, c.want)
		}
	}
}

func TestWarm(t *testing.T) {
	if err := Warm(Least); err != nil {
		t.Error(err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	if available, err := Available(); err != nil || available < Least {
		t.Errorf("%d bytes are available: %v", available, err)
	}
}
