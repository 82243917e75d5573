package commitlog

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

func mustAppend(t testing.TB, log Log, values ...string) {
	t.Helper()
	for _, value := range values {
		if _, err := log.Append([]byte(value)); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns all values of a log.
func contents(t testing.TB, log interface {
	Log
	Next() uint64
}) []string {
	t.Helper()
	var values []string
	for index := range log.Next() {
		entry, err := log.Get(index)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, string(entry.Value))
	}
	return values
}

func wantValues(t *testing.T, log *File, values []string) {
	t.Helper()
	for i, value := range values {
		if entry, err := log.Get(uint64(i)); err != nil || string(entry.Value) != value {
			t.Fatalf("entry %d of %d: %v", i, len(values), err)
		}
	}
}

// exhausts skips a test of one goroutine that tries thousands of cases where the race
// detector watches: it has nothing to see there, and each takes ten times as long.
// Whoever runs -race runs these without it as well, as make check does.
func exhausts(t *testing.T) {
	t.Helper()
	if racing.Detector {
		t.Skip("one goroutine: run without -race")
	}
	if testing.Short() {
		t.Skip("thousands of cases: run without -short")
	}
}

// valueAt is where the value of a short record starts.
const valueAt = sumSize + 1

// baseOn is the index of the first entry of a segment.
func baseOn(t testing.TB, disk disk.Dir, name string) uint64 {
	t.Helper()
	s := loaded(t, disk, name)
	if err := s.file.Close(); err != nil {
		t.Fatal(err)
	}
	return s.base
}

// loaded is a segment with what its file says of itself.
func loaded(t testing.TB, dir disk.Dir, name string) *segment {
	t.Helper()
	number, _ := numberOf(name)
	in := &inspection{dir: dir, parking: disk.NewParking(dir)}
	if err := in.loadSegment(number); err != nil {
		t.Fatal(err)
	}
	return in.opened[0]
}

// noise is what no damage looks like by chance, and another for each entry.
func noise(entry, size int) []byte {
	value, from := make([]byte, size), rand.New(rand.NewPCG(1, uint64(entry)))
	for i := range value {
		value[i] = byte(from.Uint32())
	}
	return value
}

// copied is a log's files as a kill would leave them.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// overwrite puts other bytes into a file, or behind its end.
func overwrite(t *testing.T, path string, b []byte, at int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteAt(b, at)
	must(t, errors.Join(err, file.Close()))
}

// counted returns ids that are the same in every run.
func counted() func() uint64 {
	id := uint64(0)
	return func() uint64 { id++; return id }
}

// noSpaceForEntries has what is written to segments find no space.
func noSpaceForEntries(c crashdisk.Call) crashdisk.Fault {
	if c.Op == crashdisk.Write && strings.HasSuffix(c.Name, segmentSuffix) {
		return crashdisk.Fault{Err: syscall.ENOSPC}
	}
	return crashdisk.Fault{}
}

// keep does what the helpers do, once.
func (f *File) keep() {
	f.goAhead()
	f.goAheadSpare()
	f.sealAll()
}
