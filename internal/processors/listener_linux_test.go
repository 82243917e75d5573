package processors

import (
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// Who listens on a port is found by it, over either version of IP, and nobody where
// nobody does.
func TestListener(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err) // a machine without that version
			continue
		}
		at := listener.Addr().(*net.TCPAddr).AddrPort()
		if pid, usable, _ := Listener(at); pid != os.Getpid() || !slices.Equal(usable, Usable()) {
			t.Errorf("%s: process %d on %v, this is %d on %v", address, pid, usable, os.Getpid(), Usable())
		}
		if pid, _, _ := Listener(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.9"), at.Port())); pid != 0 {
			t.Errorf("%s: process %d at another address", address, pid)
		}
		listener.Close()
		if pid, _, _ := Listener(at); pid != 0 {
			t.Errorf("%s: closed, and process %d listens", address, pid)
		}
	}
}

// A listener of all addresses is found under each, and one of the address before it.
func TestListenerOfAllAddresses(t *testing.T) {
	all, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	port := uint16(all.Addr().(*net.TCPAddr).Port)
	one := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)
	if pid, _, _ := Listener(one); pid != os.Getpid() || len(listening(one)) != 1 {
		t.Errorf("process %d, sockets %v", pid, listening(one))
	}
}

// Each thread has processors of its own: where one of them may use another, so may the process.
func TestListenersThreads(t *testing.T) {
	if len(Usable()) < 2 {
		t.Skip("there is one processor")
	}
	held, release := make(chan error), make(chan bool)
	go func() {
		runtime.LockOSThread() // to its end, and the thread ends with it
		held <- unix.SchedSetaffinity(0, setOf(Usable()[:1]))
		<-release
	}()
	if err := <-held; err != nil {
		t.Fatal(err)
	}
	if got := usableBy(os.Getpid()); !slices.Equal(got, Usable()) {
		t.Errorf("%v, want %v", got, Usable())
	}
	close(release)
}

// A process that asks for more processors than there are is given those that there are, and
// goes on.
func TestHoldEndsWhereLessIsGranted(t *testing.T) {
	before, procs := Usable(), runtime.GOMAXPROCS(0)
	release := Hold(append(slices.Clone(before[:1]), 1000)) // of which one is there
	if got := Usable(); !slices.Equal(got, before[:1]) || runtime.GOMAXPROCS(0) > procs {
		t.Errorf("held to %v with GOMAXPROCS %d", got, runtime.GOMAXPROCS(0))
	}
	if release(); !slices.Equal(Usable(), before) {
		t.Errorf("released to %v, want %v", Usable(), before)
	}
}

// What is left is left only where something is taken.
func TestRest(t *testing.T) {
	for _, c := range []struct{ all, taken, want []int }{
		{[]int{0, 1}, []int{1}, []int{0}},
		{[]int{0, 1}, []int{0, 1}, nil},
		{[]int{0, 1}, nil, nil},
		{[]int{4}, []int{0}, []int{4}},
	} {
		if got := Rest(c.all, c.taken); !slices.Equal(got, c.want) {
			t.Errorf("%v without %v: %v, want %v", c.all, c.taken, got, c.want)
		}
	}
}
