package commitlog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A segment whose base is lost with its second header begins behind all intact entries of the
// one before, also where damage cuts some of those off; damage to a file without entries costs
// none of them. No acknowledged entry is given up for either.
func TestBaseBehindAHole(t *testing.T) {
	record, trailer, header := spot{0, 20_000}, spot{0, -20}, spot{1, baseAt + 20}
	for _, c := range []struct {
		name       string
		durability Durability
		closed     bool
		behind     int // entries in the second segment,
		first      int // and the size of the first one of them
		damage     []spot
		spare      bool // the second segment's file is garbage in its first sector instead, and nothing else
		lost       int
	}{
		{name: "killed, one entry behind", durability: Always, behind: 1, damage: []spot{record, header}, lost: 1},
		{name: "killed, two entries behind", durability: Always, behind: 2, damage: []spot{record, header}, lost: 1},
		{name: "killed, garbage in the file to come", durability: Always, spare: true, damage: []spot{record}, lost: 1},
		{name: "killed, garbage in the file to come alone", durability: Always, spare: true},
		{name: "closed, one entry behind", closed: true, behind: 1, damage: []spot{record, trailer, header}, lost: 1},
		{name: "closed, its first record damaged", closed: true, behind: 15, damage: []spot{record, trailer, header, {1, recordsStart + 20}}, lost: 2},
		{name: "closed, its first record large and damaged", closed: true, behind: 15, first: 9000, damage: []spot{record, trailer, header, {1, recordsStart + 20}}, lost: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, n := twoSegments(t, c.durability, c.closed, c.behind, c.first)
			if c.spare {
				must(t, os.WriteFile(filepath.Join(dir, segmentName(1)), append(bytes.Repeat([]byte{0xa5}, 512), make([]byte, 1<<16-512)...), 0o600))
			}
			for _, p := range c.damage {
				p.flip(t, dir)
			}
			v, err := Verify(dir)
			must(t, err)
			if v.Lost != uint64(c.lost) || v.Next != uint64(n) || len(v.Damage) == 0 {
				t.Errorf("%d entries: lost %d, next %d, opens %v: %v", n, v.Lost, v.Next, v.Opens, v.Damage)
			}
			for _, when := range []string{"as it is", "repaired"} {
				if got := salvaged(t, dir); got != n-c.lost {
					t.Errorf("%s: %d entries of %d", when, got, n)
				}
				_, err := Repair(dir)
				must(t, err)
			}
		})
	}
}

// A spot is a byte of a segment's file; below 0 it is counted from the end.
type spot struct {
	segment uint64
	at      int64
}

func (p spot) flip(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, segmentName(p.segment))
	data, err := os.ReadFile(path)
	must(t, err)
	if p.at < 0 {
		p.at += int64(len(data))
	}
	data[p.at] ^= 1
	must(t, os.WriteFile(path, data, 0o600))
}

// twoSegments makes a log of one full segment and so many entries in a second one, the first of
// them of a size of its own, and leaves it closed or as a kill does. It returns how many
// entries there are.
func twoSegments(t *testing.T, durability Durability, closed bool, behind, first int) (dir string, n int) {
	t.Helper()
	options := FileOptions{SegmentSize: 1 << 16, Durability: durability}
	full := fullAt(t, options)
	dir = filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, options)
	must(t, err)
	for n = range full + behind {
		size := 100
		if n == full && first > 0 {
			size = first
		}
		mustAppend(t, log, string(append([]byte{byte(n), byte(n >> 8)}, make([]byte, size-2)...)))
	}
	n++
	if !closed {
		killed := filepath.Join(t.TempDir(), "killed")
		must(t, os.CopyFS(killed, os.DirFS(dir)))
		dir = killed
	}
	must(t, log.Close())
	return dir, n
}

// fullAt is how many entries of 100 bytes fill a segment.
func fullAt(t *testing.T, options FileOptions) int {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "full")
	log, err := OpenFile(dir, options)
	must(t, err)
	for range 1000 {
		mustAppend(t, log, string(make([]byte, 100)))
	}
	must(t, log.Close())
	v, err := Verify(dir)
	must(t, err)
	return int(v.Segments[0].Entries)
}
