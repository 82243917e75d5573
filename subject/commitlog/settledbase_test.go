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
	record, trailer, header := spot{0, 20_000}, spot{0, -20}, spot{1, 20}
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
	p.alter(t, dir, 1)
}

func (p spot) alter(t *testing.T, dir string, bits byte) {
	t.Helper()
	path := filepath.Join(dir, segmentName(p.segment))
	data, err := os.ReadFile(path)
	must(t, err)
	if p.at < 0 {
		p.at += int64(len(data))
	}
	data[p.at] ^= bits
	must(t, os.WriteFile(path, data, 0o600))
}

// twoSegments makes a log of one full segment and so many entries in a second one, the first of
// them of a size of its own, and leaves it closed or as a kill does. It returns how many
// entries there are.
func twoSegments(t *testing.T, durability Durability, closed bool, behind, first int) (dir string, n int) {
	t.Helper()
	options := FileOptions{SegmentSize: 1 << 16, Durability: durability, newID: counted()}
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

// Records of one size that are damaged alike, as the same bytes of each are torn by a crash, have
// checksums that are off alike, and some of them seem to be sound: those of entries far away that
// follow one another. Under a header that does not tell the base they are none: what is lost is
// what was there. The id is that of every run: with others chance makes some of them seem to be
// entries that are near enough, in about one run of a hundred.
func TestRecordsDamagedAlike(t *testing.T) {
	record, value := int64(headFor(100).record()), sumSize+headFor(100).size()
	for _, number := range []uint64{1, 2} { // behind the number before it, and behind one that is gone
		dir, n := twoSegments(t, None, true, 5, 0)
		renumber(t, dir, 1, number)
		spot{number, 20}.flip(t, dir)
		path := filepath.Join(dir, segmentName(number))
		whole, err := os.ReadFile(path)
		must(t, err)
		for at := range int64(1020) { // in one of the first four bytes of each value
			data := append([]byte{}, whole...)
			for i := range int64(5) {
				data[recordsStart+i*record+value+at/255] ^= byte(1 + at%255)
			}
			must(t, os.WriteFile(path, data, 0o600))
			v, err := Verify(dir)
			must(t, err)
			if v.Next != uint64(n) || v.Lost != 5 {
				t.Fatalf("error %d, number %d: next %d of %d, lost %d, opens %v: %v", at, number, v.Next, n, v.Lost, v.Opens, v.Damage)
			}
		}
	}
}

// renumber gives a segment another number.
func renumber(t *testing.T, dir string, from, to uint64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, segmentName(from)))
	must(t, err)
	h, reason := parseHeader(data)
	if reason != "" {
		t.Fatal(reason)
	}
	before := h.seed()
	h.number = to
	copy(data, h.block())
	for at, index := int64(recordsStart), h.base; ; index++ {
		r, ok := parseRecord(before, index, data[at:])
		if !ok {
			break
		}
		putRecord(data[at:at+r.record()], h.seed(), index, r.head, bytes.Clone(r.value))
		at += r.record()
	}
	must(t, os.Remove(filepath.Join(dir, segmentName(from))))
	must(t, os.WriteFile(filepath.Join(dir, segmentName(to)), data, 0o600))
}

// Of a sealed segment with a damaged table the first entry that was not truncated is found also if it stands alone
// behind damaged ones that were.
func TestDamagedTableBehindTruncatedEntries(t *testing.T) {
	options := FileOptions{SegmentSize: 1 << 15}
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, options)
	must(t, err)
	for i := range 1000 {
		mustAppend(t, log, string(append([]byte{byte(i), byte(i >> 8)}, "0123456789"...)))
	}
	must(t, log.TruncatePrefix(1000))
	mustAppend(t, log, string([]byte{byte(1000 & 0xff), byte(1000 >> 8), 1}))
	killed := filepath.Join(t.TempDir(), "killed")
	must(t, os.CopyFS(killed, os.DirFS(dir)))
	must(t, log.Close())
	spot{0, recordsStart + 1000*int64(headFor(12).record()) - 3}.flip(t, killed)
	log, err = OpenFile(killed, options)
	must(t, err)
	mustAppend(t, log, string(append([]byte{byte(1001 & 0xff), byte(1001 >> 8)}, make([]byte, 20<<10)...)))
	must(t, log.Close())
	v, err := Verify(killed)
	must(t, err)
	if !v.Segments[0].Sealed || v.Segments[0].Entries != 1001 || len(v.Damage) > 0 {
		t.Fatalf("%+v", v)
	}
	spot{0, -blockSize - 2}.flip(t, killed)
	if v, err := Verify(killed); err != nil || v.Lost != 0 || len(v.Damage) != 1 || salvaged(t, killed) != 2 {
		t.Errorf("lost %d: %v, %v", v.Lost, v.Damage, err)
	}
}

// Entries tell where a segment begins that has lost the header which does: one that is alone,
// behind a file that is missing; all, behind a file without headers; one behind a damaged one
// that had been truncated. Repair keeps them.
func TestEntriesTellTheBase(t *testing.T) {
	header := func(segment uint64) spot { return spot{segment, 31} }
	for _, c := range []struct {
		name          string
		entries       int
		first         uint64
		keep          []uint64
		damage        []spot
		missing       []uint64 // segments
		stillOpenCopy bool
	}{
		{name: "alone behind a missing file", entries: 7, keep: []uint64{6}, damage: []spot{header(2)}, missing: []uint64{1}},
		{name: "alone behind a missing first file", entries: 7, first: 3, keep: []uint64{6}, damage: []spot{header(2)}, missing: []uint64{1}},
		{name: "behind a file without headers", entries: 9, keep: []uint64{6, 7, 8}, damage: []spot{{1, 20}, header(1), header(2)}},
		{name: "behind a file without headers, before one that tells", entries: 12, keep: []uint64{3, 4, 5, 6, 11}, damage: []spot{{0, 20}, header(0), header(1), {1, -20}}},
		{name: "behind two of them", entries: 15, keep: []uint64{6, 7, 8, 9, 14}, damage: []spot{{0, 20}, header(0), {0, -20}, {1, 20}, header(1), {1, -20}, header(2), {2, -20}}},
		{name: "behind a damaged one that was truncated", entries: 8, first: 7, keep: []uint64{7}, damage: []spot{{2, recordsStart + 100}, header(2)}, stillOpenCopy: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "log")
			log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, Durability: Always})
			must(t, err)
			defer log.Close()
			for i := range c.entries {
				_, err := log.Append(noise(i, 1300))
				must(t, err)
			}
			must(t, log.TruncatePrefix(c.first))
			if c.stillOpenCopy {
				copied := filepath.Join(t.TempDir(), "copy")
				must(t, os.CopyFS(copied, os.DirFS(dir)))
				dir = copied
			} else {
				must(t, log.Close())
			}
			for _, p := range c.damage {
				p.flip(t, dir)
			}
			for _, segment := range c.missing {
				must(t, os.Remove(filepath.Join(dir, segmentName(segment))))
			}
			_, err = Repair(dir)
			must(t, err)
			repaired, err := OpenFile(dir, FileOptions{})
			must(t, err)
			defer repaired.Close()
			for _, index := range c.keep {
				if entry, err := repaired.Get(index); err != nil || !bytes.Equal(entry.Value, noise(int(index), 1300)) {
					t.Errorf("entry %d: %v", index, err)
				}
			}
		})
	}
}
