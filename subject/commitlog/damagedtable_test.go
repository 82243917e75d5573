package commitlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Truncations go on beside a damaged table, which a repair makes anew: no entry is lost.
func TestTruncationBesideADamagedTable(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, entry := range []int64{20, 500} { // one that stays, and the one at the cut
			dir := filepath.Join(t.TempDir(), "log")
			options := FileOptions{SegmentSize: 32 << 10, Durability: durability}
			log, err := OpenFile(dir, options)
			must(t, err)
			value := func(i uint64) string { return strings.Repeat(string(rune('a'+i%26)), 1+int(i%40)) }
			var batch [][]byte
			for i := range uint64(3000) {
				batch = append(batch, []byte(value(i)))
			}
			_, err = log.AppendBatch(batch[:1200])
			must(t, err)
			_, err = log.AppendBatch(batch[1200:])
			must(t, err)
			must(t, log.Close())
			opened, err := disk.ReadOnly(dir)
			must(t, err)
			defer opened.Close()
			s := loaded(t, opened, segmentName(0))
			if !s.sealed || s.tableSum == 0 {
				t.Fatalf("%+v", s)
			}
			file, err := os.OpenFile(s.path, os.O_RDWR, 0)
			must(t, err)
			b := make([]byte, 1)
			_, err = file.ReadAt(b, s.tableAt+4*entry)
			must(t, err)
			b[0] ^= 4
			_, err = file.WriteAt(b, s.tableAt+4*entry)
			must(t, err)
			must(t, file.Close())

			log, err = OpenFile(dir, options)
			must(t, err)
			must(t, log.TruncateSuffix(500))
			for i := uint64(500); i < 600; i++ {
				mustAppend(t, log, value(i))
			}
			must(t, log.TruncateSuffix(550))
			must(t, log.Close())
			_, err = Repair(dir)
			must(t, err)
			log, err = OpenFile(dir, options)
			must(t, err)
			if log.Next() != 550 {
				t.Errorf("%s: the next entry is %d", durability, log.Next())
			}
			for i := range uint64(550) {
				if e, err := log.Get(i); err != nil || string(e.Value) != value(i) {
					t.Fatalf("%s, table entry %d: get entry %d: %v", durability, entry, i, err)
				}
			}
			must(t, log.Close())
		}
	}
}
