package processors

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Listener is the process that listens on a TCP address of this machine, and the processors
// that its threads may use; 0 where that cannot be told, as of another user's, though one listens.
func Listener(at netip.AddrPort) (pid int, usable []int, listens bool) {
	links := listening(at)
	if len(links) == 0 {
		return 0, nil, false
	}
	found, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range found {
		if to, err := os.Readlink(fd); err != nil || to != links[0] {
			continue
		}
		pid, _ = strconv.Atoi(strings.Split(fd, "/")[2]) // digits
		if usable = usableBy(pid); len(usable) == 0 {
			return 0, nil, true
		}
		return pid, usable, true
	}
	return 0, nil, true
}

// usableBy are the processors that any thread of a process may use: each has its own.
func usableBy(pid int) (all []int) {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/[0-9]*")
	for _, thread := range threads {
		id, _ := strconv.Atoi(filepath.Base(thread))
		var set unix.CPUSet
		if unix.SchedGetaffinity(id, &set) == nil { // one that has ended needs none
			all = append(all, members(set)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// listening are the sockets that listen on an address, as /proc/PID/fd names them
// (proc_pid_net(5)). One of that address alone comes before one of all addresses.
func listening(at netip.AddrPort) (links []string) {
	const local, state, inode, listen = 1, 3, 9, "0A"
	var wild []string
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table) // what is not there lists none
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) <= inode || fields[state] != listen {
				continue
			}
			is, ok := parseSocket(fields[local])
			link := "socket:[" + fields[inode] + "]"
			switch {
			case !ok || is.Port() != at.Port():
			case is.Addr().IsUnspecified() && (is.Addr().Is6() || at.Addr().Is4()):
				wild = append(wild, link)
			case is.Addr() == at.Addr():
				links = append(links, link)
			}
		}
	}
	return append(links, wild...)
}

// parseSocket reads an address as /proc/net/tcp has it: words of four bytes in the machine's
// order, and the port.
func parseSocket(text string) (at netip.AddrPort, ok bool) {
	words, service, _ := strings.Cut(text, ":")
	port, err := strconv.ParseUint(service, 16, 16)
	bytes, notHex := hex.DecodeString(words)
	if err != nil || notHex != nil || len(bytes)%4 != 0 {
		return at, false
	}
	for i := 0; i < len(bytes); i += 4 {
		binary.BigEndian.PutUint32(bytes[i:], binary.NativeEndian.Uint32(bytes[i:]))
	}
	ip, ok := netip.AddrFromSlice(bytes)
	return netip.AddrPortFrom(ip.Unmap(), uint16(port)), ok
}
