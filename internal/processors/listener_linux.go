package processors

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Listener is the process that listens on a TCP port of this machine, and the processors
// that it may use; 0 where that cannot be told, as of another user's.
func Listener(port int) (pid int, usable []int) {
	for _, link := range listening(port) {
		found, _ := filepath.Glob("/proc/[0-9]*/fd/*")
		for _, fd := range found {
			if to, err := os.Readlink(fd); err != nil || to != link {
				continue
			}
			pid, _ = strconv.Atoi(strings.Split(fd, "/")[2]) // digits
			var set unix.CPUSet
			if unix.SchedGetaffinity(pid, &set) != nil {
				return 0, nil
			}
			return pid, members(set)
		}
	}
	return 0, nil
}

// listening are the sockets that listen on a port, as /proc/PID/fd names them
// (proc_pid_net(5)).
func listening(port int) (links []string) {
	const local, state, inode, listen = 1, 3, 9, "0A"
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table) // what is not there lists none
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) <= inode || fields[state] != listen {
				continue
			}
			_, hex, _ := strings.Cut(fields[local], ":")
			if at, err := strconv.ParseUint(hex, 16, 16); err == nil && int(at) == port {
				links = append(links, "socket:["+fields[inode]+"]")
			}
		}
	}
	return links
}
