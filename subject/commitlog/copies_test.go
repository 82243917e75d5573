package commitlog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Of several files of one segment the one counts that has most entries, whatever they are
// called: an old copy costs none, and one that is whole saves those of one that is not.
func TestCopyOfASegment(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, c := range []struct {
			name   string
			stale  bool // the copy is older than the last entries,
			named  bool // and has the name
			damage bool // of the other one
			closed bool
		}{
			{name: "old copy with the name", stale: true, named: true, closed: true},
			{name: "old copy with the name, killed", stale: true, named: true},
			{name: "old copy", stale: true, closed: true},
			{name: "whole copy of a damaged one", damage: true, closed: true},
			{name: "whole copy", closed: true},
		} {
			t.Run(durability.String()+" "+c.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "log")
				log, err := OpenFile(dir, FileOptions{SegmentSize: 1 << 20, Durability: durability})
				must(t, err)
				add := func(from, to int) {
					for i := from; i < to; i++ {
						mustAppend(t, log, string(append([]byte{byte(i), byte(i >> 8)}, make([]byte, 98)...)))
					}
				}
				segment, other := filepath.Join(dir, segmentName(0)), filepath.Join(dir, segmentName(50))
				add(0, 100)
				must(t, log.Sync())
				copied, err := os.ReadFile(segment)
				must(t, err)
				add(100, 300)
				if !c.closed {
					killed := filepath.Join(t.TempDir(), "killed")
					must(t, os.CopyFS(killed, os.DirFS(dir)))
					segment, other = filepath.Join(killed, segmentName(0)), filepath.Join(killed, segmentName(50))
					dir = killed
				}
				must(t, log.Close())
				if !c.stale {
					copied, err = os.ReadFile(segment)
					must(t, err)
				}
				if c.named {
					must(t, os.Rename(segment, other))
					segment, other = other, segment
				}
				must(t, os.WriteFile(other, copied, 0o600))
				if c.damage {
					data, err := os.ReadFile(segment)
					must(t, err)
					clear(data[8<<10 : 12<<10])
					must(t, os.WriteFile(segment, data, 0o600))
				}
				v, err := Verify(dir)
				must(t, err)
				if v.Lost != 0 || v.Next != 300 || v.Opens || salvaged(t, dir) != 300 {
					t.Errorf("lost %d, next %d, opens %v: %v", v.Lost, v.Next, v.Opens, v.Damage)
				}
				_, err = Repair(dir)
				must(t, err)
				if n := salvaged(t, dir); n != 300 {
					t.Errorf("repaired: %d entries", n)
				}
			})
		}
	}
}

// A file counts by the entries that can be read of it: each once, none that was truncated or that a
// repair has written as lost, and also if it has lost its base.
func TestWhichCopyCounts(t *testing.T) {
	options := FileOptions{SegmentSize: 1 << 16}
	full := fullAt(t, options)
	for name, spoil := range map[string]func(t *testing.T, dir, segment string, whole []byte) (copied []byte){
		"a repair has lost some": func(t *testing.T, dir, segment string, whole []byte) []byte {
			spot{1, 5000}.flip(t, dir)
			_, err := Repair(dir)
			must(t, err)
			return whole
		},
		"most of an old copy was truncated": func(t *testing.T, dir, segment string, whole []byte) []byte {
			log, err := OpenFile(dir, options)
			must(t, err)
			must(t, log.TruncatePrefix(uint64(full)+200))
			must(t, log.Close())
			for at := int64(1000); at < 12_000; at += 100 {
				spot{1, at}.flip(t, dir)
			}
			return append(whole[:len(whole)-2000:len(whole)-2000], make([]byte, 2000)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, n := twoSegments(t, None, true, 300, 0)
			log, err := OpenFile(dir, options)
			must(t, err)
			must(t, log.TruncatePrefix(uint64(full)))
			must(t, log.Close())
			segment := filepath.Join(dir, segmentName(1))
			whole, err := os.ReadFile(segment)
			must(t, err)
			copied := spoil(t, dir, segment, whole)
			must(t, os.WriteFile(filepath.Join(dir, segmentName(50)), copied, 0o600))
			v, err := Verify(dir)
			must(t, err)
			if v.Lost != 0 || v.Next != uint64(n) || salvaged(t, dir) != n-int(v.First) {
				t.Errorf("lost %d of %d to %d: %v", v.Lost, v.First, v.Next, v.Damage)
			}
			_, err = Repair(dir)
			must(t, err)
			if got := salvaged(t, dir); got != n-int(v.First) {
				t.Errorf("repaired: %d of %d", got, n-int(v.First))
			}
		})
	}
	t.Run("the base is lost, a large one", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(dir, options)
		must(t, err)
		for i := range 9000 {
			mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
		}
		must(t, log.Close())
		spot{1, baseAt + 20}.flip(t, dir)
		copied, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, segmentName(50)), copied, 0o600))
		damaged := append([]byte{}, copied...)
		clear(damaged[len(damaged)-200:])
		must(t, os.WriteFile(filepath.Join(dir, segmentName(1)), damaged, 0o600))
		if v, err := Verify(dir); err != nil || v.Lost != 0 || salvaged(t, dir) != 9000 {
			t.Errorf("%d lost, %v", v.Lost, err)
		}
	})
	t.Run("cut twice", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "log")
		segment := filepath.Join(dir, segmentName(0))
		var copied []byte
		log, err := OpenFile(dir, FileOptions{})
		must(t, err)
		add := func(from, to int) {
			for i := from; i < to; i++ {
				mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
			}
		}
		add(0, 60)
		must(t, log.Close())
		copied, err = os.ReadFile(segment)
		must(t, err)
		log, err = OpenFile(dir, FileOptions{})
		must(t, err)
		add(60, 100)
		must(t, log.TruncateSuffix(50))
		add(50, 70)
		must(t, log.TruncateSuffix(65))
		must(t, log.Close())
		spot{0, recordsStart + 85}.flip(t, dir)
		must(t, os.WriteFile(filepath.Join(dir, segmentName(77)), copied, 0o600))
		if v, err := Verify(dir); err != nil || v.Lost != 0 || v.Next != 65 || salvaged(t, dir) != 65 {
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("pages stand twice", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(dir, FileOptions{})
		must(t, err)
		for i := range 8000 {
			mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
		}
		must(t, log.Close())
		segment := filepath.Join(dir, segmentName(0))
		whole, err := os.ReadFile(segment)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, segmentName(50)), whole, 0o600))
		twice := append([]byte{}, whole...)
		copy(twice[5*4096:6*4096], whole[7*4096:])
		must(t, os.WriteFile(segment, twice, 0o600))
		if v, err := Verify(dir); err != nil || v.Lost != 0 || salvaged(t, dir) != 8000 {
			t.Errorf("%+v, %v", v, err)
		}
	})
}

// Without the manifest, and without the header that tells where it begins, a log of one segment
// begins with the first entry in that, or with the one before it if that is damaged; of more nobody can tell.
func TestFirstEntryWithoutTheManifest(t *testing.T) {
	full := fullAt(t, FileOptions{SegmentSize: 1 << 16})
	for _, damaged := range []int{0, 1} {
		dir, n := twoSegments(t, Always, true, 300, 0)
		log, err := OpenFile(dir, FileOptions{SegmentSize: 1 << 16, Durability: Always})
		must(t, err)
		must(t, log.TruncatePrefix(uint64(full)))
		must(t, log.Close())
		must(t, os.Remove(filepath.Join(dir, manifestName)))
		spot{1, baseAt + 20}.flip(t, dir)
		for i := range damaged {
			spot{1, recordsStart + int64(i)*105 + 50}.flip(t, dir)
		}
		v, err := Verify(dir)
		must(t, err)
		if v.First != uint64(full) || v.Next != uint64(n) || v.Lost != uint64(damaged) || salvaged(t, dir) != n-full-damaged {
			t.Errorf("%d damaged: %d to %d, %d lost: %v", damaged, v.First, v.Next, v.Lost, v.Damage)
		}
		_, err = Repair(dir)
		must(t, err)
		if got := salvaged(t, dir); got != n-full-damaged {
			t.Errorf("repaired: %d of %d", got, n-full-damaged)
		}
	}
}

// Indexes are told by their low halves: all below 2³² can be.
func TestFirstEntryFarAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	must(t, log.Close())
	d, err := disk.OS(dir, 0)
	must(t, err)
	m, _, err := readManifest(d)
	must(t, err)
	m.first, m.known = 3e9, 3e9
	must(t, writeManifest(d, m))
	must(t, os.RemoveAll(filepath.Join(dir, segmentName(0))))
	log, err = OpenFile(dir, FileOptions{})
	must(t, err)
	for range 100 {
		mustAppend(t, log, "value")
	}
	must(t, log.Close())
	names, err := filepath.Glob(filepath.Join(dir, "*.segment"))
	must(t, err)
	number, _ := numberOf(filepath.Base(names[0]))
	spot{number, baseAt + 20}.flip(t, dir)
	must(t, os.Remove(filepath.Join(dir, manifestName)))
	if v, err := Verify(dir); err != nil || v.First != 3e9 || v.Next != 3e9+100 || v.Lost != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
