package commitlog

import "testing"

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
