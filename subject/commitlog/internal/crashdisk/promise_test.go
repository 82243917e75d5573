package crashdisk

import (
	"testing"
)

// The other side: what POSIX promises is never lost, or no log could live.
func TestNoPromiseIsBroken(t *testing.T) {
	for name, promise := range promises {
		t.Run(name, func(t *testing.T) {
			d := New()
			promise.prepare(t, d)
			for seed := range cuts {
				image := d.AfterPowerCut(seeded(seed))
				if !promise.seen(image) {
					t.Fatalf("seed %d leaves a %q, b %q", seed, text(image, "a"), text(image, "b"))
				}
				if again := image.AfterPowerCut(seeded(seed + 1)); text(again, "a") != text(image, "a") {
					t.Fatalf("seed %d leaves what is not durable", seed)
				}
			}
		})
	}
}

var promises = map[string]loss{
	"synced bytes and the name stay": {func(t *testing.T, d *Disk) {
		f := create(t, d, "a")
		write(t, f, 0, "foobar")
		must(t, f.Sync(), d.Sync())
		write(t, f, 6, "lost")
		create(t, d, "b")
	}, func(image *Disk) bool { return len(text(image, "a")) >= 6 && text(image, "a")[:6] == "foobar" }},

	"a synced truncation stays": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foobar"))
		f := open(t, d, "a")
		must(t, f.Truncate(3), f.Sync())
		must(t, f.Truncate(6))
	}, func(image *Disk) bool { return is("foo", "foo\x00\x00\x00")(text(image, "a")) }},

	"a synced removal stays": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foo"))
		must(t, d.Remove("a"), d.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "-" }},

	"a rename replaces in one step": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("old"))
		d.SetBytes("b", []byte("new"))
		must(t, d.Rename("b", "a"))
	}, func(image *Disk) bool {
		a, b := text(image, "a"), text(image, "b")
		return a == "old" && b == "new" || a == "new" && b == "-"
	}},

	"a file is under one name after a rename": {func(t *testing.T, d *Disk) {
		d.SetBytes("b", []byte("new"))
		must(t, d.Rename("b", "a"))
	}, func(image *Disk) bool { return (text(image, "a") == "new") != (text(image, "b") == "new") }},

	"writing doomed bytes once more saves them": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("oooooo"))
		f := open(t, d, "a")
		write(t, f, 0, "foobar")
		failing(t, d, Sync, f.Sync)
		write(t, f, 0, "foobar")
		must(t, f.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "foobar" }},

	"a synced size outdoes a doomed one": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foobarfoobar"))
		f := open(t, d, "a")
		must(t, f.Truncate(6))
		write(t, f, 6, "lost")
		failing(t, d, Sync, f.Sync)
		must(t, f.Truncate(3), f.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "foo" }},

	"a renamed file outlives the doomed creation": {func(t *testing.T, d *Disk) {
		f := create(t, d, "b")
		write(t, f, 0, "foo")
		must(t, f.Sync())
		failing(t, d, SyncDir, d.Sync)
		must(t, d.Rename("b", "a"), d.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "foo" && text(image, "b") == "-" }},
}
