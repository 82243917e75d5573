package experiments

import (
	"net"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
)

// listeningChild is a process, started with some words, that holds a socket that listens, and
// may use some processors alone; where it is, and who.
func listeningChild(t *testing.T, held []int, words ...string) (endpoint string, pid int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	child := exec.Command(os.Args[0], words...)
	child.Env = append(os.Environ(), "SYNCWRITE_TEST_WAITS=1")
	child.ExtraFiles = []*os.File{file}
	if _, err := child.StdinPipe(); err != nil { // of which it waits for a line
		t.Fatal(err)
	}
	if err := processors.Start(held, child); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	return listener.Addr().String(), child.Process.Pid
}

// A receiver that is held to a processor is left that one, until the trial is over, and
// the trial says who has which.
func TestSendersLeaveTheReceiverItsProcessor(t *testing.T) {
	before := processors.Usable()
	if len(before) < 2 {
		t.Skip("one processor cannot be shared out")
	}
	held := before[len(before)-1:]
	endpoint, pid := listeningChild(t, held, "serve", "echo")
	closed := false
	i := besideReceiver(harness.Instance{Close: func() error { closed = true; return nil }}, endpoint)
	rest := before[:len(before)-1]
	all := i.Processes()
	if len(all) != 2 || all[0].Name != results.Server || !slices.Equal(all[0].Processors, held) || all[1].Name != results.Generator || !slices.Equal(all[1].Processors, rest) {
		t.Errorf("%+v of process %d", all, pid)
	}
	if !all[0].CPUNS.Known() || !(all[1].CPUNS > all[0].CPUNS) { // a sleeper uses less than a test
		t.Errorf("processor time %v and %v", all[0].CPUNS, all[1].CPUNS)
	}
	if now := processors.Usable(); !slices.Equal(now, rest) {
		t.Errorf("the senders may use %v", now)
	}
	if err := i.Close(); err != nil || !closed || !slices.Equal(processors.Usable(), before) {
		t.Errorf("closed: %v, %v, may use %v", closed, err, processors.Usable())
	}
}

// Of who shares processors nobody has any alone; of a receiver elsewhere nothing is told, and of
// what is here and no receiver of ours, as the process of a tunnel, that nobody knows its time.
func TestReceiverThatSharesOrIsElsewhere(t *testing.T) {
	endpoint, _ := listeningChild(t, nil, "serve", "echo")
	i := besideReceiver(harness.Instance{Close: func() error { return nil }}, endpoint)
	defer i.Close()
	if len(i.Processes()) != 2 {
		t.Errorf("%+v", i.Processes())
	}
	for _, p := range i.Processes() {
		if len(p.Processors) > 0 || p.Most != len(processors.Usable()) {
			t.Errorf("%+v", p)
		}
	}
	if i := besideReceiver(harness.Instance{}, "192.0.2.1:3264"); i.Processes != nil { // nobody's
		t.Errorf("elsewhere: %+v", i.Processes())
	}
	tunnel, _ := listeningChild(t, nil, "-L", "3264:127.0.0.1:3277", "host", "syncwrite", "serve", "echo")
	for _, here := range []string{tunnel, "127.0.0.1:1", "localhost:http"} {
		i := besideReceiver(harness.Instance{}, here)
		if all := i.Processes(); len(all) != 1 || all[0].Name != results.Server || all[0].CPUNS.Known() {
			t.Errorf("%s: %+v", here, all)
		}
	}
}

// A receiver of this machine is found under all its names.
func TestReceiverUnderEachName(t *testing.T) {
	endpoint, pid := listeningChild(t, nil, "serve", "echo")
	_, port, _ := net.SplitHostPort(endpoint)
	for _, host := range []string{"127.0.0.1", "localhost", "", "0.0.0.0", "::ffff:127.0.0.1"} {
		if found, _, _ := receiverOf(net.JoinHostPort(host, port)); found != pid {
			t.Errorf("%q: process %d, want %d", host, found, pid)
		}
	}
}
