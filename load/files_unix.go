//go:build unix

package load

import (
	"fmt"
	"syscall"
)

// sparedFiles are those that the rest of the program opens.
const sparedFiles = 100

// EnoughFiles says so if this process may not open a connection for every user.
func EnoughFiles(users int) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return nil // then opening says it
	}
	if need := uint64(users) + sparedFiles; uint64(limit.Cur) < need {
		return fmt.Errorf("they need %d open files, and this process may have %d (ulimit -n)", need, limit.Cur)
	}
	return nil
}
