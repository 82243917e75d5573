//go:build unix

package cause

import (
	"syscall"

	"github.com/syncwrite/syncwrite/results"
)

type processUsage struct{ user, system, voluntary, involuntary results.Number }

// takeProcess reads getrusage(2) for the whole process.
func takeProcess() processUsage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		m := results.Missing()
		return processUsage{m, m, m, m}
	}
	return processUsage{
		user:        results.Number(u.Utime.Nano()),
		system:      results.Number(u.Stime.Nano()),
		voluntary:   results.Number(u.Nvcsw),
		involuntary: results.Number(u.Nivcsw),
	}
}
