package disk

import "unsafe"

// MostZeros is how many zeros there are to write at once: a large page of most processors.
const MostZeros = 2 << 20

// Aligned returns size bytes of zeros whose address is a multiple of block.
func Aligned(size, block int64) []byte { return Align(make([]byte, size+block), size, block) }

// Align returns size bytes of memory, which has block bytes more, from the first
// address on that is a multiple of block.
func Align(memory []byte, size, block int64) []byte {
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % uintptr(block)
	return memory[skip:][:size:size]
}
