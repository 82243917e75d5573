package commitlog

import (
	"bytes"
	"iter"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Every length is copied and nothing is stored beside it; a record of another
// entry, or with a bit that is not as it was written, is not taken for it.
func TestCopyEntry(t *testing.T) {
	if !hasShort {
		t.Skip("this processor has no instructions for it")
	}
	random := rand.New(rand.NewPCG(1, 1))
	const seed, index = 12345, 7 | 5<<32
	for n := range lengths() {
		if !canCopy(n) {
			continue
		}
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(random.Uint32())
		}
		record := make([]byte, recordSize(n))
		putRecord(record, seed, entryKind, n%2 == 0, index, value)
		room := bytes.Repeat([]byte{0xee}, n+128)
		dst := room[32+n%32:]
		copied := func(index uint64, seed uint32) bool {
			return copyEntry(&dst[0], &record[0], headWith(index, n), seed) == n
		}
		if !copied(index, seed) || !bytes.Equal(dst[:n], value) {
			t.Fatalf("%d bytes: copied %x, want %x", n, dst[:n], value)
		}
		if copied(index+1, seed) || copied(index, seed+1) {
			t.Fatalf("%d bytes: another entry was taken for it", n)
		}
		for bit := range 8 * (recordHeaderSize + n) { // the zeros behind are not copied
			record[bit/8] ^= 1 << (bit % 8)
			if copied(index, seed) {
				t.Fatalf("%d bytes: bit %d is not as it was written", n, bit)
			}
			record[bit/8] ^= 1 << (bit % 8)
		}
		for i, b := range room {
			if at := i - 32 - n%32; (at < 0 || at >= n) && b != 0xee {
				t.Fatalf("%d bytes: byte %d beside them was stored", n, at)
			}
		}
	}
}

// lengths are all that have to be tried: every one that is short, and beyond
// that some with every rest that pieces of 64 bytes can leave.
func lengths() iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := 0; n <= 5000; n++ {
			if n > mostShort+64 {
				n += 64 // and one: each time another rest
			}
			if !yield(n) {
				return
			}
		}
	}
}

// unfolded has no sums folded until the function it returns is called.
func unfolded() func() {
	before := foldFrom
	foldFrom = math.MaxInt
	return func() { foldFrom = before }
}

// A record that is a mark, or tells of a loss, is no entry.
func TestCopyEntryOfAnotherKind(t *testing.T) {
	if !hasShort {
		t.Skip("this processor has no instructions for it")
	}
	dst := make([]byte, markLength)
	record := make([]byte, markSize)
	for _, k := range []kind{entryKind, markKind, lostKind} {
		putRecord(record, 1, k, false, 3, make([]byte, markLength))
		if ok := copyEntry(&dst[0], &record[0], headWith(3, markLength), 1) == markLength; ok != (k == entryKind) {
			t.Errorf("kind %d: copied: %t", k, ok)
		}
	}
}

// A record is what it is on other processors, whatever was there before, and
// nothing is stored behind it. With sums folded, if this processor can, and without.
func TestPutEntry(t *testing.T) {
	if !hasShort {
		t.Skip("this processor has no instructions for it")
	}
	testPutEntry(t)
	defer unfolded()()
	testPutEntry(t)
}

func testPutEntry(t *testing.T) {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 2))
	for n := range lengths() {
		if !canPut(n) {
			continue
		}
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(random.Uint32())
		}
		size := recordSize(n)
		got := bytes.Repeat([]byte{0xee}, int(size)+8)
		want := bytes.Clone(got)
		seed, head := random.Uint32(), random.Uint64()
		putEntry(&got[0], unsafe.SliceData(value), n, head, seed)
		putLong(want[:size], seed, head, value)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: record %x, want %x", n, got, want)
		}
	}
}
