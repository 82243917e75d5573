package crashtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Goroutines is how many append at once.
const Goroutines = 16

const maxFiller = 600

// valueOf is what a goroutine appends as its seq-th value: both numbers, and a
// filler that follows from them.
func valueOf(goroutine int, seq uint64) []byte {
	x := uint64(goroutine)<<40 ^ seq*0x9e3779b97f4a7c15
	value := binary.LittleEndian.AppendUint32(nil, uint32(goroutine))
	value = binary.LittleEndian.AppendUint64(value, seq)
	for range x >> 32 % maxFiller {
		x = x*6364136223846793005 + 1442695040888963407
		value = append(value, byte(x>>56))
	}
	return value
}

// parseValue is the inverse of valueOf. It fails unless the value is what
// valueOf makes of its numbers, to the byte.
func parseValue(value []byte) (goroutine int, seq uint64, err error) {
	if len(value) < 12 {
		return 0, 0, fmt.Errorf("value of %d bytes was never appended", len(value))
	}
	goroutine, seq = int(binary.LittleEndian.Uint32(value)), binary.LittleEndian.Uint64(value[4:])
	if goroutine >= Goroutines || !bytes.Equal(value, valueOf(goroutine, seq)) {
		return 0, 0, fmt.Errorf("value %.24x… was never appended", value)
	}
	return goroutine, seq, nil
}
