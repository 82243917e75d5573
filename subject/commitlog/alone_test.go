package commitlog

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// aloneLog is a log of one file that was closed, of which every damage is told its records'
// offsets.
func aloneLog(t *testing.T, entries, size int) (dir string, data []byte, at []int64) {
	t.Helper()
	dir = t.TempDir() + "/log"
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	random := rand.New(rand.NewPCG(1, uint64(size)))
	for range entries {
		value := make([]byte, size)
		for i := range value {
			value[i] = byte(random.Uint32())
		}
		_, err := log.Append(value)
		must(t, err)
	}
	must(t, log.Close())
	data, err = os.ReadFile(dir + "/" + segmentName(0))
	must(t, err)
	for i := range entries {
		at = append(at, recordsStart+int64(i)*recordSize(size))
	}
	return dir, data, at
}

// saved writes the damaged file and counts the entries that Salvage gives back, and that a
// repaired log has.
func saved(t *testing.T, dir string, data []byte) (n int) {
	t.Helper()
	must(t, os.WriteFile(dir+"/"+segmentName(0), data, 0o666))
	for _, err := range Salvage(dir) {
		if err == nil {
			n++
		}
	}
	_, err := Repair(dir)
	must(t, err)
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	defer log.Close()
	again := 0
	for i := log.First(); i < log.Next(); i++ {
		if _, err := log.Get(i); err == nil {
			again++
		}
	}
	if again != n {
		t.Errorf("%d entries were salvaged, %d after a repair", n, again)
	}
	return n
}

// An intact entry that stands alone behind damage is given back, however large what was
// damaged: a record's head tells where the next one is, and the last one ends where the file
// does.
func TestIntactEntryAlone(t *testing.T) {
	for _, size := range []int{20, 150, 250, 500, 2000, 20000} {
		for _, c := range []struct {
			name   string
			damage func(data []byte, at []int64)
			hurt   int
		}{
			{"a bit of the value before", func(data []byte, at []int64) { data[at[2]+sumSize+mostHead+1] ^= 1 }, 1},
			{"a bit of the head before", func(data []byte, at []int64) { data[at[2]+sumSize] ^= 1 << 6 }, 1},
			{"a bit of two", func(data []byte, at []int64) { data[at[1]+30] ^= 4; data[at[2]+12] ^= 1 }, 2},
			{"zeros for one", func(data []byte, at []int64) { clear(data[at[2]:at[3]]) }, 1},
		} {
			if size == 20 && c.hurt == 2 { // it has no byte 30
				continue
			}
			t.Run(fmt.Sprintf("%s, %d B", c.name, size), func(t *testing.T) {
				dir, data, at := aloneLog(t, 4, size)
				c.damage(data, at)
				if n := saved(t, dir, data); n != 4-c.hurt {
					t.Errorf("%d entries were saved of %d", n, 4-c.hurt)
				}
			})
		}
	}
}

// Intact entries between damaged ones are given back, each of which stands alone.
func TestIntactEntriesBetweenDamage(t *testing.T) {
	for _, size := range []int{60, 250, 1000} {
		dir, data, at := aloneLog(t, 40, size)
		for i := 0; i < 40; i += 2 {
			data[at[i]+int64(size/2)] ^= 1
		}
		if n := saved(t, dir, data); n != 20 {
			t.Errorf("%d B: %d entries were saved of 20", size, n)
		}
	}
}

// Of pages that were written to another's place, or stand twice, no entry is given up that
// stands somewhere.
func TestMisplacedPages(t *testing.T) {
	const page, entries, size = 4096, 400, 64
	for name, misplace := range map[string]func(data []byte){
		"one page too low": func(data []byte) {
			copy(data[page:2*page], data[2*page:3*page])
			clear(data[2*page : 3*page])
		},
		"twice, the later one earlier": func(data []byte) { copy(data[page:2*page], data[3*page:4*page]) },
		"twice, the earlier one later": func(data []byte) { copy(data[3*page:4*page], data[page:2*page]) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, data, at := aloneLog(t, entries, size)
			seed := seedOf(t, data)
			misplace(data)
			whole := 0
			for i, start := range at {
				if _, ok := parseRecord(seed, uint64(i), data[start:]); ok {
					whole++
				}
			}
			if n := saved(t, dir, data); n < whole {
				t.Errorf("%d entries were saved, %d stand where they were", n, whole)
			}
		})
	}
}

func seedOf(t *testing.T, data []byte) seed {
	t.Helper()
	h, reason := parseHeader(data)
	if reason != "" {
		t.Fatal(reason)
	}
	return h.seed()
}

// A value that holds a copy of a record that began a flush is no second one: a log whose
// unflushed entries a power cut has torn opens.
func TestCopyOfAFlaggedRecord(t *testing.T) {
	from, dir := t.TempDir()+"/log", t.TempDir()
	log, err := OpenFile(from, FileOptions{})
	must(t, err)
	mustAppend(t, log, "foo")
	data, err := os.ReadFile(from + "/" + segmentName(0))
	must(t, err)
	manifest, err := os.ReadFile(from + "/" + manifestName)
	must(t, err)
	must(t, log.Close())
	flagged := appendRecord(nil, seedOf(t, data), 1, headFor(3)|flushBit, []byte("bar"))
	torn := append([]byte("torn as well, by the same power cut"), flagged...)
	at := recordsStart + copy(data[recordsStart:], "torn, too")
	at += copy(data[at:], flagged)
	copy(data[at:], torn)
	must(t, os.WriteFile(dir+"/"+segmentName(0), data, 0o666))
	must(t, os.WriteFile(dir+"/"+manifestName, manifest, 0o666))
	log, err = OpenFile(dir, FileOptions{})
	must(t, err)
	if log.Next() != 0 || log.Recovery().CutBytes == 0 {
		t.Errorf("%d entries, %+v", log.Next(), log.Recovery())
	}
	must(t, log.Close())
}
