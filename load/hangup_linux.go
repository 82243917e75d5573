package load

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// hungUp reports whether the server has closed a connection, whatever there is to read
// before that.
func hungUp(conn net.Conn) bool {
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return true
	}
	is := false
	err = control.Control(func(fd uintptr) {
		look := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(look, 0)
		is = err == nil && n > 0
	})
	return is || err != nil
}
