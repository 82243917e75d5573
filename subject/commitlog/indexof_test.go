package commitlog

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// From a record alone follows which entry it is.
func TestIndexFollowsFromTheChecksum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		seed, index := newSeed(random.Uint32(), random.Uint32()), random.Uint64()
		value := make([]byte, random.IntN(1<<random.IntN(14)))
		for i := range value {
			value[i] = byte(random.Uint32())
		}
		b := appendRecord(nil, seed, index, headFor(len(value)), value)
		rest := b[sumSize:]
		if got := seed.index(startOf(sumOf(b), crc32.Update(0, castagnoli, rest), int64(len(rest)))); got != uint32(index) {
			t.Fatalf("%d bytes of entry %d say entry %d", len(b), uint32(index), got)
		}
	}
}

// Sums of a file give that of any piece.
func TestSumsOfPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	data := make([]byte, 3*scanWindow+777)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	s, err := newSums(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	for range 2000 {
		from := random.IntN(len(data))
		to := from + random.IntN(len(data)-from+1)
		if got, err := s.of(int64(from), int64(to)); err != nil || got != checksum(data[from:to]) {
			t.Fatalf("bytes %d to %d have sum %x, not %x: %v", from, to, checksum(data[from:to]), got, err)
		}
	}
}
