package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/internal/pipes"
)

// A network is where replicas of a test reach each other by name, unless they are parted.
type network struct {
	mu     sync.Mutex
	hosts  map[string]*pipes.Listener
	parted map[string]bool
	cut    map[[2]string]bool
	held   map[string]bool
	conns  map[string][]net.Conn
}

func newNetwork() *network {
	return &network{hosts: map[string]*pipes.Listener{}, parted: map[string]bool{}, cut: map[[2]string]bool{}, held: map[string]bool{}, conns: map[string][]net.Conn{}}
}

func (n *network) listen(host string) *pipes.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts[host] = pipes.Listen()
	return n.hosts[host]
}

var errUnreachable = errors.New("unreachable")

// dialer is that of a host.
func (n *network) dialer(from string) func(context.Context, string) (net.Conn, error) {
	return func(ctx context.Context, to string) (net.Conn, error) {
		n.mu.Lock()
		listener := n.hosts[to]
		if n.parted[from] || n.parted[to] || n.cut[[2]string{from, to}] || n.cut[[2]string{to, from}] {
			listener = nil
		}
		n.mu.Unlock()
		if listener == nil {
			return nil, errUnreachable
		}
		c, err := listener.Dial(ctx)
		if err == nil {
			c = &holding{Conn: c, of: n, to: to, ended: make(chan struct{})}
			n.mu.Lock()
			n.conns[from], n.conns[to] = append(n.conns[from], c), append(n.conns[to], c)
			n.mu.Unlock()
		}
		return c, err
	}
}

// A holding connection sends nothing while its host is held. When it is lost nothing passes.
type holding struct {
	net.Conn
	of     *network
	to     string
	isLost bool // guarded by of
	ends   sync.Once
	ended  chan struct{} // is closed by Close
}

func (h *holding) Close() error {
	h.ends.Do(func() { close(h.ended) })
	return h.Conn.Close()
}

// Read hears nothing of a lost connection, nor that the other side has closed it.
func (h *holding) Read(p []byte) (int, error) {
	for {
		n, err := h.Conn.Read(p)
		h.of.mu.Lock()
		isLost := h.isLost
		h.of.mu.Unlock()
		if !isLost {
			return n, err
		}
		if err != nil {
			<-h.ended
			return 0, err
		}
	}
}

func (h *holding) Write(p []byte) (int, error) {
	h.of.mu.Lock()
	swallows := h.isLost || h.of.held[h.to]
	h.of.mu.Unlock()
	if swallows {
		return len(p), nil
	}
	return h.Conn.Write(p)
}

// lose swallows what is sent over connections of now to a host, for good and silently.
func (n *network) lose(host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns[host] {
		c.(*holding).isLost = true
	}
}

// hold swallows what is sent to a host, or lets it pass.
func (n *network) hold(host string, is bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.held[host] = is
}

// part cuts a host off, or lets it be reached again.
func (n *network) part(host string, is bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.parted[host] = is
	if is {
		for _, c := range n.conns[host] {
			c.Close()
		}
		n.conns[host] = nil
	}
}

// between cuts the way between two hosts before it is used, or opens it.
func (n *network) between(one, other string, isCut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[[2]string{one, other}] = isCut
}

// A replica is a server of a test.
type replica struct {
	ids   *Kept
	stop  context.CancelFunc
	ended chan error
	mu    sync.Mutex
	said  []string
}

// start serves a directory at a host of the network.
func (n *network) start(t testing.TB, dir, host string, number identity.Replica, peers ...string) *replica {
	ids, err := Open(dir, identity.KeptOptions[*identitypb.Identities]{Replica: number})
	if err != nil {
		t.Fatal(err)
	}
	return n.serve(ids, host, peers...)
}

func (n *network) serve(ids *Kept, host string, peers ...string) *replica {
	ctx, stop := context.WithCancel(context.Background())
	r := &replica{ids: ids, stop: stop, ended: make(chan error, 1)}
	listener := n.listen(host)
	go func() {
		r.ended <- errors.Join(Serve(ctx, listener, ids, ServeOptions{Peers: peers, Dialer: n.dialer(host), Say: r.say}), ids.Close())
	}()
	return r
}

func (r *replica) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, text)
}

func (r *replica) hasSaid(part string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.said, func(text string) bool { return strings.Contains(text, part) })
}

func (r *replica) end(t testing.TB) {
	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("served: %v", err)
	}
}

func (n *network) client(t testing.TB, hosts ...string) *Client {
	c, err := New(hosts, Options{Dialer: n.dialer("client")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func closeClient(t testing.TB, c *Client) {
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func (r *replica) nextN(t testing.TB, n uint64) uint64 {
	reply, err := r.ids.NextN(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return reply.First
}

func within(t testing.TB, what string, is func() bool) {
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

func hostsBut(host int, of int) (peers []string) {
	for i := 1; i <= of; i++ {
		if i != host {
			peers = append(peers, fmt.Sprintf("replica-%d:1", i))
		}
	}
	return peers
}
