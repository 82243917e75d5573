package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// On a file system that copies what is written over, the zeros ahead of the records
// keep no space for them: a full disk must be an error of the append all the same.
func TestFullCopyOnWriteDisk(t *testing.T) {
	for _, c := range []struct {
		kind  string
		bytes int64
	}{{"btrfs", 128 << 20}, {"xfs", 320 << 20}} {
		for _, durability := range []Durability{None, Always} {
			t.Run(c.kind+" "+durability.String(), func(t *testing.T) {
				fillCopyOnWrite(t, mounted(t, c.kind, c.bytes), durability)
			})
		}
	}
}

// mounted returns a directory on an empty file system of its own.
func mounted(t *testing.T, kind string, bytes int64) string {
	if testing.Short() {
		t.Skip("-short: making a file system takes seconds")
	}
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a file system needs root")
	}
	if _, err := exec.LookPath("mkfs." + kind); err != nil {
		t.Skip(err)
	}
	image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, bytes); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs."+kind, "-q", image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command("mount", "-t", kind, "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() {
		for range 100 { // until the collector has let go of what was mapped
			if exec.Command("umount", dir).Run() == nil {
				return
			}
			runtime.GC()
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%s stays mounted", dir)
	})
	return dir
}

func fillCopyOnWrite(t *testing.T, dir string, durability Durability) {
	path := filepath.Join(dir, "log")
	log, err := OpenFile(path, FileOptions{Durability: durability})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { log.Close() }()
	random := rand.NewChaCha8([32]byte{})
	value := func() []byte { // nothing to compress
		b := make([]byte, 3000)
		random.Read(b)
		return b
	}
	var values []string
	for range 50 {
		values = append(values, string(value()))
	}
	mustAppend(t, log, values...)
	if err := log.Sync(); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(path, segmentName(0))
	if out, err := exec.Command("cp", "--reflink=always", segment, segment+".copy").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	fillUp(t, filepath.Join(dir, "ballast"))
	for err = nil; err == nil && len(values) < 100_000; {
		b := value()
		if _, err = log.Append(b); err == nil {
			values = append(values, string(b))
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("append %d returned %v", len(values), err)
	}
	wantValues(t, log, values)
	if err := errors.Join(os.Remove(filepath.Join(dir, "ballast")), os.Remove(segment+".copy")); err != nil {
		t.Fatal(err)
	}
	syscall.Sync()
	_, err = log.Append([]byte("space again"))
	if err != nil && durability != Always {
		t.Errorf("with space again, append returned %v", err)
	}
	if err := log.Close(); err != nil && durability != Always {
		t.Error(err)
	}
	if log, err = OpenFile(path, FileOptions{}); err != nil {
		t.Fatal(err)
	}
	wantValues(t, log, values)
}

// A log on a disk that is full can be opened and read where nothing can be written
// over, whether it was closed or its process was killed.
func TestReadOnFullCopyOnWriteDisk(t *testing.T) {
	dir := mounted(t, "btrfs", 128<<20)
	for _, durability := range []Durability{None, Always} {
		log, err := OpenFile(filepath.Join(dir, durability.String()), FileOptions{Durability: durability, SegmentSize: 64 << 10})
		must(t, err)
		for range 100 {
			mustAppend(t, log, strings.Repeat("value", 300))
		}
		must(t, log.Close())
		copied := filepath.Join(dir, "killed "+durability.String())
		must(t, os.CopyFS(copied, os.DirFS(log.dir.Path(""))))
		must(t, os.Remove(filepath.Join(copied, manifestName)))
		m := log.view.Load().manifest // as if it had not been closed
		must(t, os.WriteFile(filepath.Join(copied, manifestName), m.bytes(), 0o600))
	}
	syscall.Sync()
	fillUp(t, filepath.Join(dir, "ballast"))
	for i := range 100 {
		os.WriteFile(filepath.Join(dir, fmt.Sprint("small", i)), make([]byte, 4096), 0o600)
	}
	for _, name := range []string{"none", "always", "killed none", "killed always"} {
		log, err := OpenFile(filepath.Join(dir, name), FileOptions{SegmentSize: 64 << 10})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := 0
		for _, err := range log.Entries(0) {
			must(t, err)
			n++
		}
		if _, err := log.Append(make([]byte, 60_000)); n != 100 || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %d entries; append returned %v", name, n, err)
		}
		if err := log.Close(); err != nil && !errors.Is(err, syscall.ENOSPC) { // what opening had no space for may find none still
			t.Error(err)
		}
	}
}

// fillUp takes all space that there is.
func fillUp(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 20; size >= 4096; {
		if _, err := file.Write(make([]byte, size)); err == nil {
			continue
		} else if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		file.Sync()
		size /= 16
	}
}
