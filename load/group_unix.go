//go:build unix

package load

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// guarded is a shell that becomes a program, and leaves a process behind that kills the
// whole process group, itself too, as soon as nobody holds the other end of stdin. So
// whatever the program has started ends with the process that reads this, however that
// ends. An order to end is not for the guard: the others may take their time.
const guarded = `exec 3<&0 </dev/null
(trap '' HUP INT QUIT TERM; read -r never <&3; kill -s KILL 0) >/dev/null 2>&1 &
exec "$0" "$@" 3<&-`

// inGroup is a program in a process group of its own, which is told to end as a whole:
// one that is still starting has no handler yet that would tell those it has forked.
// A terminal's Ctrl-C does not reach the group; the end of ctx does. Stdin must be piped.
func inGroup(ctx context.Context, program string, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", guarded, program}, words...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error {
		err := syscall.Kill(-c.Process.Pid, syscall.SIGTERM) // Python leaves an interrupt ignored where a shell ignores it
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return c
}
