package experiments

import (
	"bytes"
	"cmp"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/hosts"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
)

// besideReceiver has the trial of an instance tell what its receiver, another process of
// this machine, uses of the processors. Where the receiver is held to some of them, this
// process leaves it those, and both have some of their own. Of a receiver elsewhere nothing is
// told, and of somebody else's here that it is there.
func besideReceiver(i harness.Instance, endpoint string) harness.Instance {
	pid, taken, here := receiverOf(endpoint)
	switch {
	case pid == 0 && here:
		i.Processes = func() []results.Process { return []results.Process{{Name: results.Server, CPUNS: results.Missing()}} }
		return i
	case pid == 0:
		return i
	}
	usable := processors.Usable()
	rest := processors.Rest(usable, taken)
	release, closing := processors.Hold(rest), i.Close
	i.Close = func() error { defer release(); return closing() }
	switch {
	case slices.Equal(taken, usable):
		taken = nil // both may use all
	case rest == nil:
		rest = usable
	}
	i.Processes = func() []results.Process {
		return []results.Process{
			{Name: results.Server, CPUNS: usedBy(pid), Most: cmp.Or(len(taken), runtime.NumCPU()), Processors: taken},
			{Name: results.Generator, CPUNS: usedBy(os.Getpid()), Most: runtime.GOMAXPROCS(0), Processors: rest},
		}
	}
	return i
}

func usedBy(pid int) results.Number {
	if ns, known := processors.Used(pid); known {
		return results.Number(ns)
	}
	return results.Missing()
}

// receiverOf is the serve echo that listens at an address of this machine, and the processors
// that it may use; 0 where nobody can tell. It tells, too, whether the address is this machine's.
func receiverOf(endpoint string) (pid int, usable []int, here bool) {
	host, service, _ := net.SplitHostPort(endpoint)
	own := hosts.Own(host)
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return 0, nil, len(own) > 0
	}
	for _, ip := range own { // whoever listens at the first one is asked
		pid, usable, listens := processors.Listener(netip.AddrPortFrom(ip, uint16(port)))
		if listens && isEcho(pid) {
			return pid, usable, true
		}
		if listens {
			break
		}
	}
	return 0, nil, len(own) > 0
}

// isEcho reports whether a process was started as serve echo: another one, such as that of a
// tunnel, is none of which a receiver's time is known, whatever it starts elsewhere.
func isEcho(pid int) bool {
	words, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline")) // what is not there is none
	_, said, _ := bytes.Cut(words, []byte{0})
	return bytes.HasPrefix(said, []byte("serve\x00echo\x00"))
}
