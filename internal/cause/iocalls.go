package cause

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// ioCalls are counts before a snapshot was taken and after: it reads files itself.
type ioCalls struct{ before, after results.Number }

// afterIOCalls is takeIOCalls with what reading that took itself.
func afterIOCalls(root fs.FS) results.Number {
	first := takeIOCalls(root)
	second := takeIOCalls(root)
	return second + (second - first)
}

// takeIOCalls is how often this process has called the system to read or to write, as
// the kernel counts it; missing where it does not.
func takeIOCalls(root fs.FS) results.Number {
	text, err := fs.ReadFile(root, "proc/self/io")
	if err != nil {
		return results.Missing()
	}
	sum, found := 0, 0
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if n, err := strconv.Atoi(value); err == nil && (name == "syscr" || name == "syscw") {
			sum += n
			found++
		}
	}
	if found != 2 {
		return results.Missing()
	}
	return results.Number(sum)
}
