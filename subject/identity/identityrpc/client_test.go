package identityrpc

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

func keptAt(r identity.Replica, floor uint64) identity.KeptOptions[*identitypb.Identities] {
	return identity.KeptOptions[*identitypb.Identities]{Options: identity.Options[*identitypb.Identities]{Floor: floor}, Replica: r}
}

// Many callers of clients with several servers, which end and begin anew: nobody gets an
// identity twice, and each caller's ascend.
func TestClientsMoveOn(t *testing.T) {
	n := newNetwork()
	hosts := []string{"replica-1:1", "replica-2:1", "replica-3:1"}
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	begin := func(i int) *replica {
		return n.start(t, dirs[i], hosts[i], identity.Replica{Number: uint64(i + 1), Of: 3}, hostsBut(i+1, 3)...)
	}
	all := []*replica{begin(0), begin(1), begin(2)}
	clients := []*Client{n.client(t, hosts...), n.client(t, hosts[2], hosts[0], hosts[1])}
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	var mu sync.Mutex
	seen := map[uint64]bool{}
	failed := 0
	for g := range 8 {
		working.Go(func() {
			last := uint64(0)
			for ctx.Err() == nil {
				id, err := clients[g%2].Next(ctx)
				mu.Lock()
				switch {
				case err != nil:
					failed++
				case seen[id] || id <= last:
					t.Errorf("identity %d after %d, seen %v", id, last, seen[id])
				}
				if err == nil {
					seen[id], last = true, id
				}
				mu.Unlock()
			}
		})
	}
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		time.Sleep(20 * time.Millisecond)
		i := round % 3
		n.part(hosts[i], true)
		all[i].end(t)
		time.Sleep(20 * time.Millisecond)
		n.part(hosts[i], false)
		all[i] = begin(i)
	}
	stop()
	working.Wait()
	t.Logf("%d identities, %d failures", len(seen), failed)
	if len(seen) < 100 {
		t.Errorf("%d identities only", len(seen))
	}
	for _, c := range clients {
		closeClient(t, c)
	}
	for _, r := range all {
		r.end(t)
	}
}

// What cannot be asked for is refused with the code that says so.
func TestRefusals(t *testing.T) {
	n := newNetwork()
	ids, err := Open(t.TempDir(), keptAt(identity.Replica{}, identity.Max-DefaultMost-5))
	if err != nil {
		t.Fatal(err)
	}
	r := n.serve(ids, "one:1")
	c := n.client(t, "one:1")
	for _, test := range []struct {
		n    uint64
		code codes.Code
	}{{0, codes.InvalidArgument}, {1 << 40, codes.InvalidArgument}, {DefaultMost + 1, codes.InvalidArgument}, {DefaultMost, codes.OK}, {6, codes.ResourceExhausted}, {5, codes.OK}, {1, codes.ResourceExhausted}} {
		_, err := c.NextN(t.Context(), test.n)
		var call *CallError
		if errors.As(err, &call); (err == nil) != (test.code == codes.OK) || err != nil && (call == nil || call.Code != test.code) {
			t.Errorf("next %d: %v", test.n, err)
		}
	}
	if _, err := c.NextN(t.Context(), math.MaxUint64); err == nil {
		t.Error("more than there are")
	}
	if _, err := c.Next(t.Context()); err == nil {
		t.Error("there is none left, and one is handed out")
	}
	closeClient(t, c)
	if _, err := c.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("of a closed client: %v", err)
	}
	r.end(t)
	if _, err := New(nil, Options{}); err == nil {
		t.Error("a client without a server")
	}
	if _, err := New([]string{"nowhere"}, Options{}); err == nil {
		t.Error("an address without a port")
	}
}

// Whoever gives up waiting does so at once, and the others go on.
func TestCallersGiveUp(t *testing.T) {
	n := newNetwork()
	c := n.client(t, "nobody:1")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for ctx.Err() == nil {
		if id, err := c.Next(ctx); err == nil {
			t.Fatalf("identity %d of nobody", id)
		}
	}
	r := n.start(t, t.TempDir(), "nobody:1", identity.Replica{})
	within(t, "an identity", func() bool { _, err := c.Next(t.Context()); return err == nil })
	if _, err := c.Next(ctx); err == nil {
		t.Error("an identity for a caller that had given up before it asked")
	}
	closeClient(t, c)
	r.end(t)
}

func TestUpdate(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
	c := n.client(t, "one:1")
	if err := c.Update(t.Context(), 1000); err != nil {
		t.Error(err)
	}
	if err := c.Update(t.Context(), 10); err != nil {
		t.Error(err)
	}
	if id, err := c.Next(t.Context()); id != 1001 || err != nil {
		t.Errorf("%d, %v", id, err)
	}
	if err := c.Update(t.Context(), 1<<60); err == nil {
		t.Error("too far is not refused")
	}
	if err := c.Update(t.Context(), math.MaxUint64); err == nil {
		t.Error("out of range is not refused")
	}
	closeClient(t, c)
	r.end(t)
}
