package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openDirect opens a new file twice, or skips the test.
func openDirect(t *testing.T) (File, Direct) {
	t.Helper()
	file, err := opened(t, t.TempDir()).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	d, err := file.Direct()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("the file system of temporary files has no direct I/O: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return file, d
}

func TestDirectWritesAllParts(t *testing.T) {
	file, d := openDirect(t)
	block := d.Block()
	if err := file.Reserve(8 * block); err != nil {
		t.Fatal(err)
	}
	if size, err := file.Size(); size != 8*block || err != nil {
		t.Errorf("reserved %d bytes, the file has %d (%v)", 8*block, size, err)
	}
	a, b := Aligned(2*block, block), Aligned(block, block)
	for i := range a {
		a[i] = 'a'
	}
	for i := range b {
		b[i] = 'b'
	}
	if err := d.WriteSafe(block, a, b); err != nil {
		t.Fatal(err)
	}
	want := append(append(make([]byte, block), a...), b...)
	got := Aligned(4*block, block)
	if n, err := d.ReadAt(got, 0); n != len(got) || err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes (%v), the same %t", n, err, bytes.Equal(got, want))
	}
	if err := d.Forget(); err != nil {
		t.Error(err)
	}
	if _, err := file.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("through the cache (%v) the same %t", err, bytes.Equal(got, want))
	}
}

// The system takes so many parts at once, and WriteSafe more.
func TestDirectWritesManyParts(t *testing.T) {
	_, d := openDirect(t)
	block := d.Block()
	parts := make([][]byte, mostParts+10)
	for i := range parts {
		parts[i] = Aligned(block, block)
		parts[i][0] = byte(i)
	}
	if err := d.WriteSafe(0, parts...); err != nil {
		t.Fatal(err)
	}
	got := Aligned(block, block)
	for i := range parts {
		if _, err := d.ReadAt(got, int64(i)*block); err != nil || got[0] != byte(i) {
			t.Fatalf("part %d reads %d, %v", i, got[0], err)
		}
	}
}

// What the system refuses since it cannot do it is told from a disk that fails.
func TestDirectUnsupported(t *testing.T) {
	_, d := openDirect(t)
	odd := Aligned(2*d.Block(), d.Block())[1 : 1+d.Block()]
	if err := d.WriteSafe(0, odd); err == nil {
		t.Skip("the file system takes any address")
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a write from an odd address: %v", err)
	}
	if err := unsupported(unix.EIO); errors.Is(err, errors.ErrUnsupported) {
		t.Error("an input/output error is taken for a missing feature")
	}
}

// A directory in whose place another one stands is not written to.
func TestDirectOfAFileThatMoved(t *testing.T) {
	path := t.TempDir()
	file, err := opened(t, path).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := os.Rename(filepath.Join(path, "a"), filepath.Join(path, "b")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := file.Direct(); err == nil {
		d.Close()
		t.Error("another file was opened")
	}
}

func TestBehind(t *testing.T) {
	parts := [][]byte{[]byte("abc"), []byte("de"), []byte("f")}
	for n, want := range []string{"abcdef", "bcdef", "cdef", "def", "ef", "f", ""} {
		if got := string(bytes.Join(behind(parts, n), nil)); got != want {
			t.Errorf("behind %d bytes: %q, want %q", n, got, want)
		}
	}
}

func TestAligned(t *testing.T) {
	for size := int64(1); size < 70; size++ {
		b := Aligned(size, 64)
		if int64(len(b)) != size || uintptr(unsafe.Pointer(&b[0]))%64 != 0 {
			t.Errorf("%d bytes at %p for %d", len(b), &b[0], size)
		}
	}
}
