package processors

import (
	"net"
	"os"
	"slices"
	"testing"
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
		port := listener.Addr().(*net.TCPAddr).Port
		if pid, usable := Listener(port); pid != os.Getpid() || !slices.Equal(usable, Usable()) {
			t.Errorf("%s: process %d on %v, this is %d on %v", address, pid, usable, os.Getpid(), Usable())
		}
		listener.Close()
		if pid, _ := Listener(port); pid != 0 {
			t.Errorf("%s: closed, and process %d listens", address, pid)
		}
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
