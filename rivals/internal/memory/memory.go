// Package memory lets a trial begin with free memory that was used a moment ago.
//
// A virtual machine can give free memory back to its host. The first touch of a
// page that is not there then takes ten times as long as any append, and which
// trial meets such pages is chance.
package memory

import (
	"errors"
	"os"
	"strconv"
	"strings"
)

// A trial finds warm what it will write, twice: what is prepared, queued and
// kept in memory comes beside it.
const (
	Least = 64 << 20 // bytes
	Most  = 2 << 30
)

// Wanted is how many bytes to warm for a trial of so many appends, whose records
// have so many bytes.
func Wanted(appends, record int) int64 {
	return min(max(2*int64(appends)*int64(record+64), Least), Most)
}

// Available is how many bytes of memory the system could hand out (Linux).
func Available() (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemAvailable:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("/proc/meminfo: no MemAvailable")
}

// Warm is Hold, and release at once.
func Warm(size int64) error {
	release, err := Hold(size)
	if err != nil {
		return err
	}
	return release()
}
