package identityrpc

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
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

// Callers that give up leave nothing behind, and no identity is asked for on their behalf.
func TestWhoGivesUpIsGone(t *testing.T) {
	s := &shared{wanted: make(chan struct{}, 1)}
	stays := []*wish{new(wish), new(wish), new(wish)}
	for _, w := range stays {
		s.join(w)
		for range 1000 {
			gone := new(wish)
			s.join(gone)
			s.leave(gone)
		}
	}
	if n := len(s.waiting); n > 2*len(stays)+1 {
		t.Errorf("%d wait for %d callers", n, len(stays))
	}
	if taken := s.take(nil); len(taken) != len(stays) || taken[0] != stays[0] || taken[2] != stays[2] {
		t.Errorf("%d are asked for", len(taken))
	}
	s.leave(stays[1]) // too late: it changes nothing
	if len(s.waiting) != 0 || s.gone != 0 {
		t.Errorf("%d wait, of whom %d are gone", len(s.waiting), s.gone)
	}
}

// A server that stalls is waited for once, be it that callers share the request.
func TestPatience(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		first := n.start(t, dirs[0], "first:1", identity.Replica{Number: 1, Of: 2})
		second := n.start(t, dirs[1], "second:1", identity.Replica{Number: 2, Of: 2})
		c := n.client(t, "first:1", "second:1")
		for range 3 {
			if _, err := c.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		n.hold("first:1", true)
		began := time.Now()
		if _, err := c.Next(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 2500*time.Millisecond {
			t.Errorf("an identity after %v", took)
		}
		n.hold("first:1", false)
		closeClient(t, c)
		first.end(t)
		second.end(t)
	})
}

// Callers whose deadline is shorter than the client's patience leave a silent server, too.
func TestDeadlinesBelowPatience(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		first := n.start(t, dirs[0], "first:1", identity.Replica{Number: 1, Of: 2})
		second := n.start(t, dirs[1], "second:1", identity.Replica{Number: 2, Of: 2})
		c := n.client(t, "first:1", "second:1")
		if _, err := c.NextN(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		n.hold("first:1", true)
		failed := 0
		for range 4 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := c.NextN(ctx, 1); err != nil {
				failed++
			}
			cancel()
		}
		if failed != 1 {
			t.Errorf("%d of 4 failed", failed)
		}
		n.hold("first:1", false)
		closeClient(t, c)
		first.end(t)
		second.end(t)
	})
}

// A closed client says so, whatever it is asked.
func TestClosedClient(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
	c := n.client(t, "one:1")
	lease := c.Lease(2)
	closeClient(t, c)
	_, err1 := c.Next(t.Context())
	_, err2 := c.NextN(t.Context(), 1)
	_, err3 := lease.Next(t.Context())
	for _, err := range []error{err1, err2, err3, c.Update(t.Context(), 1), c.Close()} {
		if !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
	r.end(t)
}

// Whose context has ended is told so, whatever was asked and wherever it was then.
func TestEndedContext(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r := n.start(t, dir, "one:1", identity.Replica{})
		c := n.client(t, "one:1", "one:1")
		if _, err := c.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		check := func(ctx context.Context, want error) {
			_, err1 := c.Next(ctx)
			_, err2 := c.NextN(ctx, 1)
			_, err3 := c.Lease(1).Next(ctx)
			for i, err := range []error{err1, err2, err3, c.Update(ctx, 1)} {
				if !errors.Is(err, want) {
					t.Errorf("call %d: %v, not %v", i, err, want)
				}
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		check(ended, context.Canceled)
		n.hold("one:1", true)
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		check(short, context.DeadlineExceeded)
		if _, err := c.NextN(t.Context(), 1); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the server's own time is up, and not the caller's: %v", err)
		}
		n.hold("one:1", false)
		closeClient(t, c)
		r.end(t)
	})
}

// That no server is reached is said apart from what one has answered.
func TestUnreachable(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r := n.start(t, dir, "one:1", identity.Replica{})
		for _, test := range []struct {
			hosts []string
			is    bool
		}{{[]string{"nobody:1"}, true}, {[]string{"nobody:1", "nobody:2"}, true}, {[]string{"one:1"}, false}, {[]string{"nobody:1", "one:1"}, false}} {
			c := n.client(t, test.hosts...)
			if _, err := c.NextN(t.Context(), 0); err == nil || errors.Is(err, ErrUnreachable) != test.is {
				t.Errorf("%v: %v", test.hosts, err)
			}
			closeClient(t, c)
		}
		r.end(t)
	})
}

func TestAnswersThatAreNone(t *testing.T) {
	for _, r := range []Range{{}, {1, 0, 1}, {1, 2, 1}, {0, 1, 1}, {1, 1, 0}, {5, 1, 1}, {math.MaxInt64 + 1, 1, 1}} {
		if r.check(1, 5) == nil {
			t.Errorf("%+v is one identity above 5", r)
		}
	}
	if err := (Range{6, 3, 2}).check(3, 5); err != nil {
		t.Error(err)
	}
	if (Range{6, 3, math.MaxInt64 / 2}).check(3, 5) == nil {
		t.Error("beyond the range")
	}
}

// A connection that is lost without a word is left: a new one to the same server is good.
func TestLostConnectionIsLeft(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r := n.start(t, dir, "one:1", identity.Replica{})
		c := n.client(t, "one:1")
		for range 2 { // the second one over a stream
			if _, err := c.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		n.lose("one:1")
		began := time.Now()
		for {
			if _, err := c.Next(t.Context()); err == nil {
				break
			}
			if lasted := time.Since(began); lasted > silence+answering+10*time.Second {
				t.Fatalf("no answer for %v", lasted)
			}
		}
		closeClient(t, c)
		r.end(t)
	})
}

// An idle client keeps its connection, however long: a server does not take its questions
// amiss.
func TestIdleClientStaysConnected(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r := n.start(t, dir, "one:1", identity.Replica{})
		c := n.client(t, "one:1")
		for range 5 {
			if _, err := c.Next(t.Context()); err != nil {
				t.Error(err)
			}
			time.Sleep(10 * time.Minute)
		}
		closeClient(t, c)
		r.end(t)
		if all := len(n.conns["one:1"]); all != 1 {
			t.Errorf("%d connections", all)
		}
	})
}
