package commitlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A log that is written seldom takes little memory, whatever it makes ready ahead: a
// program can have hundreds.
func TestManyLogsTakeLittleMemory(t *testing.T) {
	const logs, most = 50, 512 << 10 // bytes a log
	for _, durability := range []Durability{None, Always} {
		dir, before := t.TempDir(), resident(t)
		var all []*File
		for i := range logs {
			log, err := OpenFile(filepath.Join(dir, fmt.Sprint(i)), FileOptions{Durability: durability})
			must(t, err)
			mustAppend(t, log, "foo", "bar")
			all = append(all, log)
		}
		for _, log := range all { // what helpers were asked for has been done
			log.keep()
		}
		if grown := resident(t) - before; grown > logs*most {
			t.Errorf("%v: %d logs take %d bytes of memory", durability, logs, grown)
		}
		for _, log := range all {
			must(t, log.Close())
		}
	}
}

// resident is how many bytes of memory the process has.
func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	must(t, err)
	for line := range bytes.Lines(text) {
		var kib int64
		if _, err := fmt.Sscanf(string(line), "VmRSS: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	t.Fatal("/proc/self/status has no VmRSS")
	return 0
}
