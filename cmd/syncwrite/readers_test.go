//go:build unix

package main_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Whoever reads stderr has gone, as in 2>&1 | head -1: a server serves and ends all the same,
// and a worker ends with its own exit code.
func TestServersOutliveTheirReaders(t *testing.T) {
	program := filepath.Join(build(t), "syncwrite")
	for name, test := range map[string]struct {
		args    []string
		address string // flag
		code    int
	}{
		"albums":   {args: []string{"serve", "albums"}, address: "--listen"},
		"echo":     {args: []string{"serve", "echo"}, address: "--listen"},
		"identity": {args: []string{"serve", "identity", "--data", t.TempDir()}, address: "--listen"},
		"worker":   {args: []string{"worker", "http://127.0.0.1:1"}, address: "--master", code: 1}, // there is no master within ten seconds
	} {
		t.Run(name, func(t *testing.T) {
			if test.code != 0 && testing.Short() {
				t.Skip("waits for ten seconds")
			}
			t.Parallel()
			address := freeAddress(t)
			c := exec.Command(program, append(test.args, test.address, address, "--with-stdin")...)
			unread, stderr, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			unread.Close()
			defer stderr.Close()
			c.Stderr = stderr
			stdin, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { c.Wait(); close(ended) }()
			if test.code == 0 {
				answers(t, address)
				time.Sleep(100 * time.Millisecond) // it has said that it is there
				stdin.Close()
			}
			<-ended
			if code := c.ProcessState.ExitCode(); code != test.code {
				t.Errorf("it has ended with %v", c.ProcessState)
			}
		})
	}
}

func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// answers returns when somebody accepts connections.
func answers(t *testing.T, address string) {
	for late := time.Now().Add(10 * time.Second); time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
	}
	t.Errorf("nobody answers at %s", address)
}
