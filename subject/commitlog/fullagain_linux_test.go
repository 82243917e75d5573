package commitlog

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A log that has filled its disk, and is truncated, goes on at once. The truncation itself takes
// some kilobytes.
func TestTruncationOfALogThatFilledItsDisk(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		t.Run(durability.String(), func(t *testing.T) { fillAndTruncate(t, mounted(t, "ext4", 24<<20), durability) })
	}
}

func fillAndTruncate(t *testing.T, disk string, durability Durability) {
	must(t, os.WriteFile(filepath.Join(disk, "spared"), make([]byte, 64<<10), 0o600))
	log, err := OpenFile(filepath.Join(disk, "log"), FileOptions{Durability: durability, SegmentSize: 1 << 20})
	must(t, err)
	defer func() { must(t, log.Close()) }()
	for err == nil {
		_, err = log.Append(make([]byte, 10_000))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, os.Remove(filepath.Join(disk, "spared")))
	must(t, log.TruncatePrefix(log.Next()))
	for n := range 1000 {
		if _, err := log.Append(make([]byte, 10_000)); err != nil {
			t.Fatalf("append %d behind the truncation: %v", n, err)
		}
	}
}
