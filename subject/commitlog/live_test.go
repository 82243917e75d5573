package commitlog

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// Verify takes no lock: files that are sealed and removed while it looks are not
// damaged, and the log is there.
func TestVerifyBesideAWriterFindsNoDamage(t *testing.T) {
	dir := t.TempDir()
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, Durability: Interval})
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, log, "first")
	var done atomic.Bool
	wrote := make(chan error, 1)
	go func() { wrote <- appendAndCut(log, &done) }()
	for range 150 {
		v, err := Verify(dir)
		if err != nil {
			t.Error(err)
			break
		}
		if len(v.Damage) > 0 {
			t.Errorf("damage %v", v.Damage)
			break
		}
	}
	done.Store(true)
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// appendAndCut appends and truncates from both ends until it is done.
func appendAndCut(log *File, done *atomic.Bool) error {
	for i := 0; !done.Load(); i++ {
		if _, err := log.Append(fmt.Appendf(nil, "entry %100d", i)); err != nil {
			return err
		}
		if next := log.Next(); i%200 == 199 {
			if err := log.TruncatePrefix(next - 100); err != nil {
				return err
			}
			if err := log.TruncateSuffix(next - 10); err != nil {
				return err
			}
		}
	}
	return nil
}
