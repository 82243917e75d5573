package crashdisk

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

const cuts = 1000

// A proof that holds on a kind disk proves nothing: each of these losses must
// happen, and often enough that a run of a few thousand crashes meets it.
func TestEveryLossHappens(t *testing.T) {
	eachLoss(t, func(t *testing.T, d *Disk, seen func(*Disk) bool) {
		yes, no := 0, 0
		for seed := 0; seed < cuts && (yes < cuts/200 || no == 0); seed++ {
			if seen(d.AfterPowerCut(seeded(seed))) {
				yes++
			} else {
				no++
			}
		}
		if yes < cuts/200 {
			t.Errorf("seen in %d of %d power cuts", yes, cuts)
		}
		if no == 0 {
			t.Error("seen in every power cut")
		}
	})
}

// eachLoss runs a test on a disk that each of the losses may befall.
func eachLoss(t *testing.T, test func(t *testing.T, d *Disk, seen func(*Disk) bool)) {
	for _, group := range []map[string]loss{losses, nameLosses} {
		for name, loss := range group {
			t.Run(name, func(t *testing.T) {
				d := New()
				loss.prepare(t, d)
				test(t, d, loss.seen)
			})
		}
	}
}

// content is a loss of bytes of file "a", which holds base durably at first.
func content(base string, do func(*testing.T, *Disk, disk.File), seen func(string) bool) loss {
	return loss{
		prepare: func(t *testing.T, d *Disk) {
			d.SetBytes("a", []byte(base))
			do(t, d, open(t, d, "a"))
		},
		seen: func(image *Disk) bool { return seen(text(image, "a")) },
	}
}

type loss struct {
	prepare func(*testing.T, *Disk)
	seen    func(image *Disk) bool
}

func is(want ...string) func(string) bool {
	return func(got string) bool { return slices.Contains(want, got) }
}

func append3(t *testing.T, _ *Disk, f disk.File) {
	write(t, f, 3, "one")
	write(t, f, 6, "two")
	write(t, f, 9, "six")
}

func overlap(t *testing.T, _ *Disk, f disk.File) {
	write(t, f, 0, "11111111")
	write(t, f, 4, "22222222")
}

func shorten(t *testing.T, _ *Disk, f disk.File) { must(t, f.Truncate(2)) }

func shortenAndFill(t *testing.T, _ *Disk, f disk.File) {
	must(t, f.Truncate(2))
	write(t, f, 6, "yy")
}

func doomThenSync(t *testing.T, d *Disk, f disk.File) {
	write(t, f, 0, "11")
	failing(t, d, Sync, f.Sync)
	write(t, f, 4, "22")
	must(t, f.Sync())
}

func doomThenCut(t *testing.T, d *Disk, f disk.File) {
	must(t, f.Truncate(2))
	failing(t, d, Sync, f.Sync)
	must(t, f.Sync())
}

func long(t *testing.T, _ *Disk, f disk.File) { write(t, f, 0, strings.Repeat("n", 16<<10)) }

var old16K = strings.Repeat("o", 16<<10)

var losses = map[string]loss{
	"nothing is lost":                    content("old", append3, is("oldonetwosix")),
	"everything is lost":                 content("old", append3, is("old")),
	"the last write is lost":             content("old", append3, is("oldonetwo")),
	"only the last write is kept":        content("old", append3, is("old\x00\x00\x00\x00\x00\x00six")),
	"only a write in the middle is kept": content("old", append3, is("old\x00\x00\x00two\x00\x00\x00")),
	"only a write in the middle is lost": content("old", append3, is("oldone\x00\x00\x00six")),
	"the size is kept without the bytes": content("old", append3, is("old\x00\x00\x00\x00\x00\x00\x00\x00\x00")),
	"a record is cut off in its middle":  content("old", append3, is("oldo", "oldon", "oldonet", "oldonetw")),
	"a record is torn in its middle": content("old", append3, func(s string) bool {
		return len(s) == 12 && (s[3:6] == "o\x00e" || s[3:6] == "\x00n\x00" || s[3:6] == "on\x00" || s[3:6] == "\x00ne")
	}),
	"the older of two overlapping wins":    content("old", overlap, is("111111112222")),
	"overlapping writes mix":               content("old", overlap, func(s string) bool { return hasAll(s, 4, 8, "12") }),
	"old bytes show through both writes":   content("oooooooooooo", overlap, func(s string) bool { return hasAll(s, 4, 8, "o12") }),
	"a truncation is lost":                 content("oldbytes", shorten, is("oldbytes")),
	"a truncation is kept":                 content("oldbytes", shorten, is("ol")),
	"a truncation is half done":            content("oldbytes", shorten, is("ol\x00\x00\x00\x00\x00\x00")),
	"cut bytes come back below a write":    content("oldbytes", shortenAndFill, is("oldbytyy")),
	"cut bytes come back in part":          content("oldbytes", shortenAndFill, is("ol\x00\x00\x00\x00es")),
	"cut bytes are zero below a write":     content("oldbytes", shortenAndFill, is("ol\x00\x00\x00\x00yy")),
	"doomed bytes are lost after a sync":   content("oooooo", doomThenSync, is("oooo22")),
	"doomed bytes are kept after a sync":   content("oooooo", doomThenSync, is("11oo22")),
	"a doomed truncation is lost":          content("oooooo", doomThenCut, is("oooooo")),
	"a doomed truncation is kept":          content("oooooo", doomThenCut, is("oo")),
	"one page of four is lost":             content(old16K, long, func(s string) bool { return kept(s, 4096) == 3 }),
	"one page of four is kept":             content(old16K, long, func(s string) bool { return kept(s, 4096) == 1 }),
	"some sectors are lost":                content(old16K, long, func(s string) bool { k := kept(s, 512); return k > 0 && k < 32 && k%8 != 0 }),
	"some words are lost":                  content(old16K, long, func(s string) bool { k := kept(s, 8); return k > 0 && k < 2048 && k%64 != 0 }),
	"some bytes inside of a word are lost": content(old16K, long, func(s string) bool { return kept(s, 8) == -1 }),
}

// hasAll says whether bytes lo..hi of s are those of all, each at least once.
func hasAll(s string, lo, hi int, all string) bool {
	if len(s) < hi {
		return false
	}
	for _, b := range []byte(all) {
		if !strings.Contains(s[lo:hi], string(b)) {
			return false
		}
	}
	return true
}

// kept counts the sectors of that size which are new, -1 if one is mixed.
func kept(s string, unit int) int {
	count := 0
	for sector := range slices.Chunk([]byte(s), unit) {
		switch strings.Count(string(sector), "n") {
		case len(sector):
			count++
		case 0:
		default:
			return -1
		}
	}
	return count
}
