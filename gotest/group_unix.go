//go:build unix

package gotest

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inGroup has a command that does not read the terminal, and all that it starts, be told
// together to end: go test, told alone, waits for its test binaries.
func inGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error {
		err := syscall.Kill(-c.Process.Pid, syscall.SIGINT)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
