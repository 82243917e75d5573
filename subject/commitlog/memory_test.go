package commitlog

import (
	"slices"
	"strings"
	"testing"
)

func TestMemoryAppendsAllocateOnlyChunks(t *testing.T) {
	log := OpenMemory(MemoryOptions{})
	value := make([]byte, 16)
	const appends = 100_000
	allocations := testing.AllocsPerRun(1, func() {
		for range appends {
			if _, err := log.Append(value); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocations > appends/500 {
		t.Errorf("%d appends allocated %v times", appends, allocations)
	}
}

// Values of any length are found again, the first included if it is empty.
func TestMemoryKeepsAnyLength(t *testing.T) {
	for _, chunk := range []int{0, 1, 64} {
		log := OpenMemory(MemoryOptions{ChunkSize: chunk})
		var want []string
		for i := range 100 {
			want = append(want, strings.Repeat("x", i*i%37))
		}
		mustAppend(t, log, want...)
		if got := contents(t, log); !slices.Equal(got, want) {
			t.Errorf("chunks of %d: the log holds %q", chunk, got)
		}
	}
}
