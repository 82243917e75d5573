package crashdisk

import (
	"bytes"
	"errors"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

func openDirect(t *testing.T, f disk.File) disk.Direct {
	t.Helper()
	d, err := f.Direct()
	must(t, err)
	return d
}

func blocks(letters string) []byte {
	var b []byte
	for _, letter := range letters {
		b = append(b, bytes.Repeat([]byte{byte(letter)}, block)...)
	}
	return b
}

// What WriteSafe returned for stays, and what was reserved or written in the
// usual way before need not.
func TestDirectWriteStaysAlone(t *testing.T) {
	d, f := durable(t, "")
	write(t, f, 0, string(blocks("x")))
	direct := openDirect(t, f)
	must(t, f.Reserve(8*block), direct.WriteSafe(2*block, blocks("a"), blocks("b")))
	lost, short := false, false
	for seed := range cuts {
		got := d.AfterPowerCut(seeded(seed)).Bytes("a")
		if len(got) < 4*block || string(got[2*block:4*block]) != string(blocks("ab")) {
			t.Fatalf("seed %d leaves %d bytes, %q", seed, len(got), got)
		}
		lost = lost || string(got[:block]) != string(blocks("x"))
		short = short || len(got) < 8*block
	}
	if !lost || !short {
		t.Errorf("the write before was lost %t, the space %t", lost, short)
	}
}

// Between the write and its end the disk may have any of it.
func TestDirectWriteIsTorn(t *testing.T) {
	d, f := durable(t, string(blocks("old")))
	direct := openDirect(t, f)
	seen := map[string]bool{}
	d.SetHook(func(c Call) Fault {
		if c.Op == Sync {
			for seed := range cuts {
				seen[string(d.AfterPowerCut(seeded(seed)).Bytes("a"))] = true
			}
		}
		return Fault{}
	})
	must(t, direct.WriteSafe(0, blocks("new")))
	if !seen[string(blocks("old"))] || !seen[string(blocks("new"))] || len(seen) < 10 {
		t.Errorf("%d images were seen, the old one %t, the new one %t", len(seen), seen[string(blocks("old"))], seen[string(blocks("new"))])
	}
}

// A direct write that fails may be there or not, for good.
func TestDirectWriteFails(t *testing.T) {
	for _, op := range []Op{Write, Sync} {
		d, f := durable(t, string(blocks("old")))
		direct := openDirect(t, f)
		failing(t, d, op, func() error { return direct.WriteSafe(0, blocks("new")) })
		must(t, f.Sync())
		old := false
		for seed := range cuts {
			old = old || string(d.AfterPowerCut(seeded(seed)).Bytes("a")) == string(blocks("old"))
		}
		if !old {
			t.Errorf("%v failed, and the write is there for sure", op)
		}
	}
}

// Who uses the cache of a file that is written directly is found out.
func TestDirectWritesAreNotMixed(t *testing.T) {
	_, f := durable(t, string(blocks("old")))
	direct := openDirect(t, f)
	must(t, direct.WriteSafe(0, blocks("new")))
	b := make([]byte, 3*block)
	if _, err := direct.ReadAt(b, 0); err != nil || string(b) != string(blocks("new")) {
		t.Errorf("read %q, %v", b, err)
	}
	must(t, direct.WriteSafe(0, blocks("n")))
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	if err := direct.WriteSafe(0, blocks("n")); !errors.Is(err, errMixed) {
		t.Errorf("a direct write behind a read through the cache: %v", err)
	}
	must(t, direct.Close())
	write(t, f, 0, "usual")
	if err := openDirect(t, f).WriteSafe(1, blocks("n")); err == nil {
		t.Error("a write at an odd offset was taken")
	}
}
