//go:build unix

package load

import (
	"net"
	"syscall"
)

// stale reports whether a connection on which nothing was asked has been closed by the
// server, or has something to read: an answer to nothing.
func stale(conn net.Conn) bool {
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return true
	}
	is := true
	err = control.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		is = err != syscall.EAGAIN
		return true
	})
	return is || err != nil
}
