package disk

import (
	"errors"
	"runtime"
	"testing"
)

// What is stored is read from the file, and what is written is in the memory.
func TestMap(t *testing.T) {
	file, err := OS(t.TempDir()).Create("a")
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

func TestMemoryIsLetGoOf(t *testing.T) {
	gone := make(chan int)
	NewMemory(make([]byte, 5), func(b []byte) { gone <- len(b) })
	runtime.GC()
	if n := <-gone; n != 5 {
		t.Errorf("%d bytes were let go of", n)
	}
}
