package commitlog

import (
	"os"
	"path/filepath"
	"testing"
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
