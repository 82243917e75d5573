package crashdisk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

func TestKillKeepsWhatReadsSaw(t *testing.T) {
	d, f := durable(t, "foo")
	write(t, f, 3, "bar")
	create(t, d, "b")
	must(t, d.Rename("a", "c"))
	image := d.AfterKill()
	if text(image, "c") != "foobar" || text(image, "b") != "" || text(image, "a") != "-" {
		t.Errorf("a kill left a %q, b %q, c %q", text(image, "a"), text(image, "b"), text(image, "c"))
	}
}

// A kill is no Sync: the losses of a power cut happen after it too.
func TestKillMakesNothingDurable(t *testing.T) {
	eachLoss(t, func(t *testing.T, d *Disk, seen func(*Disk) bool) {
		image := d.AfterKill()
		for seed := range cuts {
			if seen(image.AfterPowerCut(seeded(seed))) {
				return
			}
		}
		t.Error("not seen after a kill")
	})
}

// The next process reads what was doomed, and its Sync does not save it.
func TestDoomOutlivesKill(t *testing.T) {
	d, f := durable(t, "old")
	write(t, f, 0, "new")
	failing(t, d, Sync, f.Sync)
	image := d.AfterKill()
	must(t, open(t, image, "a").Sync())
	met := map[string]bool{}
	for seed := range cuts {
		met[text(image.AfterPowerCut(seeded(seed)), "a")] = true
	}
	if !met["old"] || !met["new"] {
		t.Errorf("a power cut never leaves old, or never new: %v", met)
	}
}

// A file is one file after a kill too, whichever names a power cut then loses.
func TestSyncAfterKillHolds(t *testing.T) {
	d, _ := durable(t, "foo")
	must(t, d.Rename("a", "b"))
	image := d.AfterKill()
	f := open(t, image, "b")
	write(t, f, 3, "bar")
	must(t, f.Sync())
	met := map[string]bool{}
	for seed := range cuts {
		cut := image.AfterPowerCut(seeded(seed))
		met[text(cut, "a")+text(cut, "b")] = true
	}
	if len(met) != 2 || !met["-foobar"] || !met["foobar-"] {
		t.Errorf("a power cut after the kill leaves %v", met)
	}
}

func TestKillEndsLocks(t *testing.T) {
	d := New()
	_, err := d.Lock("lock")
	must(t, err)
	for _, image := range []*Disk{d.AfterKill(), d.AfterPowerCut(seeded(1))} {
		_, err := image.Lock("lock")
		must(t, err)
	}
}

// Disks share bytes as long as nobody writes to them. Whatever one of them
// does, the others hold what they held.
func TestImagesAreIndependent(t *testing.T) {
	for seed := range 300 {
		r := seeded(seed)
		d, f := durable(t, "0123456789")
		family := []*member{{d, f, &history{base: "0123456789", now: d.Bytes("a")}}}
		for range 30 {
			m := family[r.IntN(len(family))]
			m.story.step(t, r, m.disk, m.file)
			if r.IntN(10) == 0 {
				family[r.IntN(len(family))] = m.child(t, r)
			} else if len(family) < 4 {
				family = append(family, m.child(t, r))
			}
			for _, m := range family {
				if text(m.disk, "a") != string(m.story.now) {
					t.Fatalf("seed %d: a disk holds %q, want %q", seed, text(m.disk, "a"), m.story.now)
				}
				m.story.holds(t, m.disk.AfterPowerCut(r).Bytes("a"))
			}
		}
	}
}

// The room that a file has grown into is its own only beyond what it shares,
// even if it is shorter by now.
func TestWriteBeyondACutKeepsImages(t *testing.T) {
	d, f := durable(t, "")
	write(t, f, 0, "0123456789")
	image := d.AfterKill()
	must(t, f.Truncate(2))
	write(t, f, 11, "x")
	if text(image, "a") != "0123456789" || text(d, "a") != "01\x00\x00\x00\x00\x00\x00\x00\x00\x00x" {
		t.Errorf("the image holds %q, the disk %q", text(image, "a"), text(d, "a"))
	}
}

// A member is one of several disks that come of one another.
type member struct {
	disk  *Disk
	file  disk.File
	story *history
}

// child is an image of the disk after a power cut or a kill.
func (m *member) child(t *testing.T, r *rand.Rand) *member {
	t.Helper()
	if r.IntN(2) == 0 {
		image := m.disk.AfterPowerCut(r)
		now := image.Bytes("a")
		return &member{image, open(t, image, "a"), &history{base: string(now), now: now}}
	}
	image := m.disk.AfterKill()
	return &member{image, open(t, image, "a"),
		&history{base: m.story.base, now: image.Bytes("a"), edits: slices.Clone(m.story.edits)}}
}
