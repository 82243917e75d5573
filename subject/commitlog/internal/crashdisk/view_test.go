package crashdisk

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// view maps the first size bytes of a file.
func view(t testing.TB, f disk.File, size int) []byte {
	t.Helper()
	m, err := f.Map(int64(size))
	must(t, err)
	t.Cleanup(func() { runtime.KeepAlive(m) })
	return m.Bytes()
}

// What is stored is read, and what is written is in the memory.
func TestStoresAndWritesMeet(t *testing.T) {
	d := New()
	f := create(t, d, "a")
	write(t, f, 0, "0123456789")
	b := view(t, f, 64)
	if string(b[:10]) != "0123456789" {
		t.Fatalf("memory holds %q", b[:10])
	}
	copy(b[2:], "xy")
	write(t, f, 5, "ab")
	b[9] = '!'
	if got := string(d.Bytes("a")); got != "01xy4ab78!" || string(b[:10]) != got {
		t.Errorf("file holds %q, memory %q", got, b[:10])
	}
	other := view(t, f, 10)
	b[0] = '?'
	d.SeeStores()
	if other[0] != '?' {
		t.Error("a second memory of the file does not see what was stored to the first")
	}
	must(t, f.Truncate(4))
	if !bytes.Equal(b[:10], []byte("?1xy\x00\x00\x00\x00\x00\x00")) {
		t.Errorf("memory of a shorter file holds %q", b[:10])
	}
	b[8] = 1 // beyond the end: this would have ended the process
	if got := string(d.Bytes("a")); got != "?1xy" {
		t.Errorf("file holds %q", got)
	}
}

// A kill leaves what was stored, a power cut may take it, a flush makes it safe.
func TestStoresAreWrites(t *testing.T) {
	lost, kept := 0, 0
	for seed := range 50 {
		d := New()
		f := create(t, d, "a")
		write(t, f, 0, "........")
		must(t, f.Sync(), d.Sync())
		b := view(t, f, 8)
		copy(b, "safe")
		must(t, f.Sync())
		copy(b[4:], "lost")
		if got := string(d.AfterKill().Bytes("a")); got != "safelost" {
			t.Fatalf("a kill left %q", got)
		}
		got := string(d.AfterPowerCut(seeded(seed)).Bytes("a"))
		if got[:4] != "safe" {
			t.Fatalf("a power cut left %q", got)
		}
		if got[4:] == "lost" {
			kept++
		} else {
			lost++
		}
	}
	if lost == 0 || kept == 0 {
		t.Errorf("lost %d times, kept %d times", lost, kept)
	}
}

// Only what was stored since it was last looked at is torn.
func TestTornStores(t *testing.T) {
	torn := 0
	for seed := range 50 {
		d := New()
		f := create(t, d, "a")
		write(t, f, 0, "........")
		b := view(t, f, 8)
		copy(b, "seen")
		d.SeeStores()
		copy(b[4:], "torn")
		got := string(d.AfterStores(seeded(seed)).Bytes("a"))
		if got[:4] != "seen" {
			t.Fatalf("what was seen is torn: %q", got)
		}
		for i, c := range got[4:] {
			if c != '.' && byte(c) != "torn"[i] {
				t.Fatalf("nobody stored %q", got)
			}
		}
		if got[4:] != "torn" && got[4:] != "...." {
			torn++
		}
	}
	if torn == 0 {
		t.Error("nothing was ever torn")
	}
}
