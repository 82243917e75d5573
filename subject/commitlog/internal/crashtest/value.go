package crashtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const (
	writers     = 16  // goroutines that append
	valueHeader = 12  // goroutine uint32, sequence uint64
	longestFill = 600 // bytes that follow, at most
)

// appendValue adds to buf what goroutine g appends at its place seq.
func appendValue(buf []byte, g int, seq uint64) []byte {
	buf = binary.LittleEndian.AppendUint32(buf, uint32(g))
	buf = binary.LittleEndian.AppendUint64(buf, seq)
	state := mix(uint64(g)<<48 ^ seq)
	end := len(buf) + int(state%(longestFill+1))
	for len(buf) < end {
		state = mix(state)
		buf = binary.LittleEndian.AppendUint64(buf, state)
	}
	return buf[:end]
}

// mix is one step of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// parseValue returns who appended value, or an error if nobody can have.
// scratch saves an allocation for each value.
func parseValue(value, scratch []byte) (g int, seq uint64, err error) {
	if len(value) < valueHeader {
		return 0, 0, fmt.Errorf("%d bytes, which nobody appended", len(value))
	}
	g, seq = int(binary.LittleEndian.Uint32(value)), binary.LittleEndian.Uint64(value[4:])
	if g >= writers {
		return 0, 0, fmt.Errorf("value of goroutine %d, which there was not", g)
	}
	if want := appendValue(scratch[:0], g, seq); !bytes.Equal(value, want) {
		return 0, 0, fmt.Errorf("%d bytes that begin like append %d of goroutine %d and are not it", len(value), seq, g)
	}
	return g, seq, nil
}
