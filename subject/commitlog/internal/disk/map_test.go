package disk

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
)

// What is stored is read from the file, and what is written is in the memory.
func TestMap(t *testing.T) {
	file, err := opened(t, t.TempDir()).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte("foo bar"), 0); err != nil {
		t.Fatal(err)
	}
	memory, err := file.Map(1 << 20) // most of it beyond the end
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	copy(memory.Bytes(), "baz")
	if _, err := file.WriteAt([]byte("qux"), 4); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 7)
	if _, err := file.ReadAt(got, 0); err != nil || string(got) != "baz qux" || string(memory.Bytes()[:7]) != "baz qux" {
		t.Errorf("file holds %q, memory %q (%v)", got, memory.Bytes()[:7], err)
	}
	runtime.KeepAlive(memory)
}

// What was stored to pages that are forgotten is there, and in the file.
func TestForgottenPagesKeepTheirBytes(t *testing.T) {
	file, err := opened(t, t.TempDir()).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const size = 64 << 10
	if err := file.Truncate(size); err != nil {
		t.Fatal(err)
	}
	mapped, err := file.Map(size)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, size)
	for _, memory := range []*Memory{mapped, Anonymous(size)} {
		fill(t, memory.Bytes())
		want := bytes.Clone(memory.Bytes())
		memory.Forget(0, size)
		if !bytes.Equal(memory.Bytes(), want) {
			t.Error("memory has other bytes than were stored")
		}
		if _, err := file.ReadAt(got, 0); memory == mapped && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("the file has other bytes than were stored (%v)", err)
		}
	}
}

func TestMemoryIsLetGoOf(t *testing.T) {
	gone := make(chan int)
	NewMemory(make([]byte, 5), func(b []byte) { gone <- len(b) })
	runtime.GC()
	if n := <-gone; n != 5 {
		t.Errorf("%d bytes were let go of", n)
	}
}

// Memory of no file is zeros, as large as was asked for, from a page on, and
// stays when another is let go of.
func TestAnonymous(t *testing.T) {
	memory, other := Anonymous(5<<20), Anonymous(1<<20)
	b := memory.Bytes()
	if len(b) != 5<<20 || cap(b) != len(b) {
		t.Errorf("%d bytes, room for %d", len(b), cap(b))
	}
	if start := Align(b, 1, Alignment); &start[0] != &b[0] {
		t.Error("it begins within a block")
	}
	fill(t, b)
	runtime.KeepAlive(other)
	other = nil
	runtime.GC()
	for i := range b {
		if b[i] != byte(i) {
			t.Fatalf("byte %d is %d, %d was stored", i, b[i], byte(i))
		}
	}
	runtime.KeepAlive(memory)
}

// fill stores something in memory that is zero.
func fill(t *testing.T, b []byte) {
	t.Helper()
	for i := range b {
		if b[i] != 0 {
			t.Fatalf("byte %d is %d", i, b[i])
		}
		b[i] = byte(i)
	}
}

// What is populated keeps its bytes; what is released is zero in whole pages, or what
// it was, and nothing beside it changes.
func TestPopulateAndRelease(t *testing.T) {
	memory := Anonymous(1 << 20)
	b := memory.Bytes()
	fill(t, b)
	memory.Populate(0, 2<<20) // more than there is
	const from, to = 5000, 500_001
	memory.Release(from, to)
	for i := range b {
		if b[i] != byte(i) && (b[i] != 0 || i < from || i >= to) {
			t.Fatalf("byte %d is %d, %d was stored", i, b[i], byte(i))
		}
	}
	runtime.KeepAlive(memory)
}
