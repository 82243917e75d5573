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

// Values of any length are found again: empty ones, the first included, those
// that fill a chunk to its end, and those that lie apart.
func TestMemoryKeepsAnyLength(t *testing.T) {
	for _, chunk := range []int{0, 1, 16, 64, 100} {
		log := OpenMemory(MemoryOptions{ChunkSize: chunk})
		var want []string
		for i := range 2*endsPerBlock + 1 {
			want = append(want, strings.Repeat(string(rune('a'+i%26)), i*i%37))
		}
		want = append(want, strings.Repeat("y", mostInChunk), strings.Repeat("z", mostInChunk+1), "", "end")
		mustAppend(t, log, want...)
		if got := contents(t, log); !slices.Equal(got, want) {
			t.Errorf("chunks of %d: the log does not hold what was appended", chunk)
		}
	}
}

// A long value lies apart even where the chunk has room: 32 bits say where the
// values of a block end.
func TestMemoryKeepsLongValuesApart(t *testing.T) {
	log := OpenMemory(MemoryOptions{ChunkSize: 8 * mostInChunk})
	value := make([]byte, mostInChunk+1)
	mustAppend(t, log, "a", string(value), string(value[1:]))
	if next := log.end; next != 1+mostInChunk || len(log.apart) != 1 {
		t.Errorf("%d bytes in chunks, %d values apart", next, len(log.apart))
	}
	if _, err := log.Append(value); err != nil {
		t.Fatal(err)
	}
	value[0] = 1
	if entry, err := log.Get(3); err != nil || entry.Value[0] != 0 {
		t.Errorf("the log holds what the caller made of the value: %v", err)
	}
}
