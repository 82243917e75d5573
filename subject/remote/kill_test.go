package remote

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// receiverOf names, in a child's environment, the folder of its inbox and its address.
const receiverOf, receiverAt = "SYNCWRITE_REMOTE_INBOX", "SYNCWRITE_REMOTE_ADDRESS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(receiverOf); dir != "" {
		fmt.Fprintln(os.Stderr, receive(dir, os.Getenv(receiverAt)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// receive is a process that receives until it is killed.
func receive(dir, address string) error {
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	ctx, stop := context.WithCancel(context.Background())
	go func() { io.Copy(io.Discard, os.Stdin); stop() }()
	return Serve(ctx, listener, newWitness().handle, ServiceOptions{Inbox: log})
}

// A child is a receiver in a process of its own.
type child struct {
	*exec.Cmd
	address string
}

func startChild(t *testing.T, dir, address string) child {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := child{Cmd: exec.Command(self)}
	c.Env = append(os.Environ(), receiverOf+"="+dir, receiverAt+"="+address)
	c.Stderr = os.Stderr
	if _, err = c.StdinPipe(); err != nil { // ends it when this process does
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if c.address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the receiver has not begun: %v", err)
	}
	c.address = c.address[:len(c.address)-1]
	return c
}

func (c child) kill() {
	c.Process.Kill()
	c.Wait()
}

func fromEnvironment(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// A receiver with an inbox is killed again and again, and the link flaps: each message
// is in the inbox once, in the order in which its sender sent it.
func TestReceiverKilled(t *testing.T) {
	messages, kills := fromEnvironment("SYNCWRITE_MESSAGES", 20_000), fromEnvironment("SYNCWRITE_KILLS", 5)
	const senders = 4
	dir := filepath.Join(t.TempDir(), "inbox")
	server := startChild(t, dir, "127.0.0.1:0")
	links := newFaults(uint64(kills), 15*time.Millisecond)
	p, err := New(server.address, Options{Name: "other side", ExactlyOnce: true, Dialer: links.dial, Stalled: 300 * time.Millisecond, Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	a := newAccount()
	var reader, sending sync.WaitGroup
	reader.Go(func() { p.Events(context.Background(), a.events) })
	for s := range senders {
		sending.Go(func() {
			for i := range messages / senders {
				if err := p.Send(context.Background(), numbered(s, i+1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for k := range kills {
		for p.Counts().Answered < messages*(k+1)/(kills+1) && p.Counts().Lost == 0 {
			time.Sleep(time.Millisecond)
		}
		server.kill()
		server = startChild(t, dir, server.address)
	}
	sending.Wait()
	if err := p.Close(context.Background()); err != nil {
		t.Error(err)
	}
	reader.Wait()
	server.kill()
	if len(a.lost) > 0 || len(a.odd) > 0 || len(a.answered) != messages {
		t.Errorf("%d answered, %d lost of %d (%v); %q", len(a.answered), len(a.lost), messages, a.why, a.odd)
	}
	w := seenIn(t, dir)
	for key, n := range w.seen {
		if n != 1 || a.answered[key] != 1 {
			t.Fatalf("message %v is in the inbox %d times, and was answered %d times", key, n, a.answered[key])
		}
	}
	if len(w.seen) != messages || len(w.odd) > 0 {
		t.Errorf("%d of %d messages are in the inbox; %q", len(w.seen), messages, w.odd)
	}
	t.Logf("%d messages, %d kills: %+v", messages, kills, p.Counts())
}

// seenIn is what a receiver sees again that begins with an inbox.
func seenIn(t *testing.T, dir string) *witness {
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	w := newWitness()
	if _, err := NewService(t.Context(), w.handle, ServiceOptions{Inbox: log}); err != nil {
		t.Fatal(err)
	}
	return w
}
