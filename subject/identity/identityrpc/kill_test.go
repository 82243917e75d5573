package identityrpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/identity"
)

// What tells a child, in its environment, which server it is.
const (
	childDir      = "SYNCWRITE_IDENTITY_DIR"
	childAddress  = "SYNCWRITE_IDENTITY_ADDRESS"
	childReplica  = "SYNCWRITE_IDENTITY_REPLICA"
	childPeers    = "SYNCWRITE_IDENTITY_PEERS"
	childInterval = 100 * time.Millisecond
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, serveChild(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// serveChild is a server until it is killed, or its parent ends.
func serveChild(dir string) error {
	replica, err := identity.ParseReplica(os.Getenv(childReplica))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", os.Getenv(childAddress))
	if err != nil {
		return err
	}
	options := keptAt(replica, 0)
	options.Block = 50 // so that a kill meets a reservation often
	ids, err := Open(dir, options)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	ctx, stop := context.WithCancel(context.Background())
	go func() { io.Copy(io.Discard, os.Stdin); stop() }()
	peers := strings.FieldsFunc(os.Getenv(childPeers), func(r rune) bool { return r == ',' })
	return Serve(ctx, listener, ids, ServeOptions{Peers: peers, Interval: childInterval})
}

// A child is a server in a process of its own.
type child struct {
	*exec.Cmd
	address string
}

func newChild(t testing.TB, dir, address, replica string, peers ...string) child {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := child{Cmd: exec.Command(self)}
	c.Env = append(os.Environ(), childDir+"="+dir, childAddress+"="+address, childReplica+"="+replica, childPeers+"="+strings.Join(peers, ","))
	c.Stderr = os.Stderr
	return c
}

func startChild(t testing.TB, dir, address, replica string, peers ...string) child {
	c := newChild(t, dir, address, replica, peers...)
	var err error
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
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server has not begun: %v", err)
	}
	c.address = strings.TrimSpace(line)
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

// A handout is what several callers were given, and what is wrong with it.
type handout struct {
	mu     sync.Mutex
	seen   map[uint64]bool
	failed int
}

// takes calls until ctx ends.
func (h *handout) takes(ctx context.Context, t testing.TB, client *Client) {
	for last := uint64(0); ctx.Err() == nil; {
		id, err := client.Next(ctx)
		h.mu.Lock()
		if err != nil {
			h.failed++
			h.mu.Unlock()
			time.Sleep(time.Millisecond)
			continue
		}
		if h.seen[id] || id <= last {
			t.Errorf("identity %d after %d, handed out before: %v", id, last, h.seen[id])
		}
		h.seen[id], last = true, id
		h.mu.Unlock()
	}
}

// A server is killed again and again, at any moment, and started anew: it never repeats an
// identity.
func TestKilledServerRepeatsNothing(t *testing.T) {
	kills := fromEnvironment("SYNCWRITE_KILLS", 12)
	if testing.Short() {
		kills = 2
	}
	dir := filepath.Join(t.TempDir(), "ids")
	c := startChild(t, dir, "127.0.0.1:0", "1/1")
	client, err := New([]string{c.address}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	h := &handout{seen: map[uint64]bool{}}
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() { h.takes(ctx, t, client) })
	}
	count := func() int { h.mu.Lock(); defer h.mu.Unlock(); return len(h.seen) }
	for range kills {
		before := count()
		within(t, "identities of a server that was started anew", func() bool { return count() > before })
		time.Sleep(rand.N(20 * time.Millisecond))
		c.kill()
		c = startChild(t, dir, c.address, "1/1")
	}
	stop()
	asking.Wait()
	closeClient(t, client)
	c.kill()
	t.Logf("%d kills, %d identities, %d failures told", kills, len(h.seen), h.failed)
}

// Three processes, of which one after the other is killed: callers with all three go on,
// nothing comes twice, and two intervals after the last is back all are together.
func TestKilledReplicas(t *testing.T) {
	kills := fromEnvironment("SYNCWRITE_KILLS", 9)
	if testing.Short() {
		kills = 3
	}
	dirs, addresses := []string{t.TempDir(), t.TempDir(), t.TempDir()}, freeAddresses(t, 3)
	start := func(i int) child {
		peers := append(append([]string{}, addresses[:i]...), addresses[i+1:]...)
		return startChild(t, dirs[i], addresses[i], fmt.Sprintf("%d/3", i+1), peers...)
	}
	all := []child{start(0), start(1), start(2)}
	ctx, stop := context.WithCancel(t.Context())
	h := &handout{seen: map[uint64]bool{}}
	var asking sync.WaitGroup
	var clients []*Client
	for i := range 3 {
		client, err := New([]string{addresses[i], addresses[(i+1)%3], addresses[(i+2)%3]}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
		asking.Go(func() { h.takes(ctx, t, client) })
	}
	for k := range kills {
		time.Sleep(rand.N(40 * time.Millisecond))
		all[k%3].kill()
		time.Sleep(rand.N(40 * time.Millisecond))
		all[k%3] = start(k % 3)
	}
	stop()
	asking.Wait()
	within(t, "replicas that are together", func() bool { return together(t, addresses) })
	for i := range all {
		closeClient(t, clients[i])
		all[i].kill()
	}
	t.Logf("%d kills, %d identities, %d failures told", kills, len(h.seen), h.failed)
}

// together reports whether what one replica hands out now is above what the others have,
// an interval later.
func together(t testing.TB, addresses []string) bool {
	lowest, highest := uint64(1<<63), uint64(0)
	for _, address := range addresses {
		c, err := New([]string{address}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := c.Next(t.Context())
		if err != nil {
			t.Error(err)
		}
		lowest, highest = min(lowest, id), max(highest, id)
		closeClient(t, c)
	}
	return highest-lowest < 20
}

func freeAddresses(t testing.TB, n int) (all []string) {
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		all = append(all, listener.Addr().String())
	}
	return all
}

// A server that is killed at any moment of its first start begins when it is started again.
func TestKilledFirstStart(t *testing.T) {
	for range fromEnvironment("SYNCWRITE_KILLS", 12) {
		dir := filepath.Join(t.TempDir(), "data")
		c := newChild(t, dir, "127.0.0.1:0", "1/1")
		if _, err := c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		within(t, "the directory is made", func() bool {
			_, err := os.Stat(dir)
			return err == nil
		})
		time.Sleep(rand.N(10 * time.Millisecond))
		c.kill()
		ids, err := Open(dir, keptAt(identity.Replica{}, 0))
		if err != nil {
			t.Fatal(err)
		}
		if ids.Last() != 0 {
			t.Errorf("it begins above %d", ids.Last())
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
}
