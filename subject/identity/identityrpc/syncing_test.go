package identityrpc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/remote"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// Three replicas, one of which is cut off while the others go on: two intervals after it is
// back all are above what any had handed out.
func TestReplicasConverge(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		var all []*replica
		for i := range dirs {
			all = append(all, n.start(t, dirs[i], fmt.Sprintf("replica-%d:1", i+1), identity.Replica{Number: uint64(i + 1), Of: 3}, hostsBut(i+1, 3)...))
		}
		converged := func() bool {
			top := uint64(0)
			for _, r := range all {
				top = max(top, r.ids.Last())
			}
			for _, r := range all {
				if r.ids.Last()+3 <= top {
					return false
				}
			}
			return true
		}
		all[0].nextN(t, 1000)
		time.Sleep(2 * time.Second)
		if !converged() {
			t.Fatal("not together two intervals after they began")
		}
		for cut := range all {
			for round, apart := range []time.Duration{1500 * time.Millisecond, 10 * time.Second, time.Minute + 300*time.Millisecond} {
				n.part(fmt.Sprintf("replica-%d:1", cut+1), true)
				for i, r := range all {
					r.nextN(t, uint64(1000*(i+1)*(round+1)))
				}
				time.Sleep(apart)
				if converged() {
					t.Errorf("together, although %d was cut off", cut)
				}
				n.part(fmt.Sprintf("replica-%d:1", cut+1), false)
				time.Sleep(2 * time.Second)
				if !converged() {
					t.Errorf("replica %d, cut off for %v: not together two intervals later: %d, %d, %d", cut+1, apart, all[0].ids.Last(), all[1].ids.Last(), all[2].ids.Last())
				}
			}
		}
		for _, r := range all {
			r.end(t)
		}
	})
}

// Replicas that reach each other through a third one are together as well, whichever numbers
// that has itself.
func TestReplicasInALine(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		first := n.start(t, dirs[0], "first:1", identity.Replica{Number: 1, Of: 3}, "second:1")
		second := n.start(t, dirs[1], "second:1", identity.Replica{Number: 2, Of: 3})
		third := n.start(t, dirs[2], "third:1", identity.Replica{Number: 3, Of: 3}, "second:1")
		for _, from := range []*replica{first, third, third, first} {
			before := from.nextN(t, 1)
			time.Sleep(3 * time.Second)
			if first.ids.Last() != before || third.ids.Last() != before {
				t.Errorf("%d and %d, behind %d", first.ids.Last(), third.ids.Last(), before)
			}
			if got := third.nextN(t, 1); got <= before {
				t.Errorf("%d, three intervals behind %d", got, before)
			}
			time.Sleep(3 * time.Second)
		}
		endAll(t, first, second, third)
	})
}

// A replica says that it is as far as others have raised it, and is as far again when it was
// killed: it has not gone back.
func TestRaisedAndKilled(t *testing.T) {
	for _, handsOut := range []uint64{1, 1000} {
		dirs := []string{t.TempDir(), t.TempDir()}
		synctest.Test(t, func(t *testing.T) {
			n := newNetwork()
			first := n.start(t, dirs[0], "first:1", identity.Replica{Number: 1, Of: 3})
			raised := n.start(t, dirs[1], "third:1", identity.Replica{Number: 3, Of: 3}, "first:1")
			last := first.nextN(t, handsOut) + 3*(handsOut-1)
			time.Sleep(3 * time.Second)
			killed := copyDir(t, dirs[1])
			raised.end(t)
			raised = n.start(t, killed, "third:1", identity.Replica{Number: 3, Of: 3}, "first:1")
			if got := raised.ids.Last(); got < last {
				t.Errorf("at %d, where it had said %d", got, last)
			}
			time.Sleep(3 * time.Second)
			if n.hasStopped(t, raised, "third:1") {
				t.Errorf("said: %q", first.said)
			}
			endAll(t, first, raised)
		})
	}
}

// A replica that is not there is tried at pauses that grow no longer than an interval, and
// others are kept up with meanwhile.
func TestDeadPeerCostsNothing(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		peers := []string{"replica-1:1", "replica-2:1", "replica-3:1"}
		first := n.start(t, dirs[0], peers[0], identity.Replica{Number: 1, Of: 3}, peers[1], peers[2])
		second := n.start(t, dirs[1], peers[1], identity.Replica{Number: 2, Of: 3}, peers[0], peers[2])
		time.Sleep(time.Hour)
		first.nextN(t, 5000)
		time.Sleep(2 * time.Second)
		if got := second.ids.Last(); got+3 <= first.ids.Last() {
			t.Errorf("%d beside %d", got, first.ids.Last())
		}
		if said := len(first.said); said > 10 {
			t.Errorf("it has said %d things: %q", said, first.said)
		}
		first.end(t)
		second.end(t)
	})
}

// Two servers of one number find each other, and hand out nothing any more.
func TestTwoOfOneNumber(t *testing.T) {
	one, two := identity.Replica{Number: 1, Of: 3}, identity.Replica{Number: 2, Of: 3}
	for name, test := range map[string]struct {
		second identity.Replica
		peers  []string // of the second one
		third  bool     // both meet it, and not each other
		asked  bool     // the first one asks the second
	}{
		"they meet":                {second: one, peers: []string{"first:1"}},
		"they meet a third":        {second: one, peers: []string{"third:1"}, third: true},
		"another count":            {second: identity.Replica{Number: 2, Of: 4}, peers: []string{"first:1"}},
		"one that is the only one": {second: identity.Replica{Number: 1, Of: 1}, asked: true},
		"another count, less":      {second: identity.Replica{Number: 2, Of: 2}, peers: []string{"first:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				peers := []string{}
				if test.third {
					peers = []string{"third:1"}
				}
				if test.asked {
					peers = []string{"second:1"}
				}
				all := []*replica{n.start(t, dirs[0], "first:1", one, peers...), n.start(t, dirs[1], "second:1", test.second, test.peers...)}
				var third *replica
				if test.third {
					third = n.start(t, dirs[2], "third:1", two)
				}
				time.Sleep(5 * time.Second)
				for i, host := range []string{"first:1", "second:1"} {
					c := n.client(t, host)
					if id, err := c.Next(t.Context()); err == nil {
						t.Errorf("%s still hands out: %d", host, id)
					}
					closeClient(t, c)
					if !all[i].hasSaid("NO MORE IDENTITIES") || !test.third && !all[i].hasSaid("with --floor above all that was handed out") {
						t.Errorf("%s has said %q", host, all[i].said)
					}
				}
				if third != nil {
					c := n.client(t, "third:1")
					if _, err := c.Next(t.Context()); err != nil {
						t.Errorf("the third one: %v", err)
					}
					closeClient(t, c)
					third.end(t)
				}
				for _, r := range all {
					r.end(t)
				}
			})
		})
	}
}

// A peer whose floor is near the range's end is not followed, and its floor is not lowered.
func TestDamagedPeerIsNotFollowed(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		damaged, err := Open(dirs[1], keptAt(identity.Replica{Number: 2, Of: 2}, identity.Max-100))
		if err != nil {
			t.Fatal(err)
		}
		sound := n.start(t, dirs[0], "sound:1", identity.Replica{Number: 1, Of: 2}, "damaged:1")
		far := n.serve(damaged, "damaged:1", "sound:1")
		time.Sleep(5 * time.Second)
		if got := sound.nextN(t, 1); got != 1 {
			t.Errorf("it goes on with %d", got)
		}
		if !sound.hasSaid("not followed") {
			t.Errorf("it has said %q", sound.said)
		}
		if got := far.ids.Last(); got < identity.Max-103 {
			t.Errorf("a floor was lowered, to %d", got)
		}
		sound.end(t)
		far.end(t)
	})
}

// A server that is its own peer says so, and goes on.
func TestItsOwnPeer(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r := n.start(t, dir, "one:1", identity.Replica{Number: 1, Of: 2}, "one:1")
		time.Sleep(3 * time.Second)
		if !r.hasSaid("this server itself") {
			t.Errorf("it has said %q", r.said)
		}
		r.nextN(t, 1)
		r.end(t)
	})
}

// Another service that sends back what it is sent is no replica, and not this server either.
func TestPeerThatEchoes(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		echo := func(_ context.Context, _ string, m remote.Message) ([]byte, error) { return m.Payload, nil }
		receiver, err := remote.NewService(t.Context(), echo, remote.ServiceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer(append(receiver.Serving(), grpc.WaitForHandlers(true))...)
		remotepb.RegisterRemoteServer(server, receiver)
		listener := n.listen("echo:1")
		var serving sync.WaitGroup
		serving.Go(func() { server.Serve(listener) })
		r := n.start(t, dir, "one:1", identity.Replica{Number: 1, Of: 2}, "echo:1")
		time.Sleep(3 * time.Second)
		if !r.hasSaid("peer echo:1: it is no replica") || r.hasSaid("this server itself") {
			t.Errorf("it has said %q", r.said)
		}
		r.end(t)
		server.Stop()
		serving.Wait()
	})
}

// A backup is put in the place of a directory whose server has no peers: the other replica
// asks it, and raises it, before it has said anything by itself.
func TestBackupThatIsAsked(t *testing.T) {
	dir, copyOf, other := t.TempDir(), filepath.Join(t.TempDir(), "copy"), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		one := identity.Replica{Number: 1, Of: 2}
		first := n.start(t, dir, "first:1", one)
		if err := os.CopyFS(copyOf, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		witness := n.start(t, other, "witness:1", identity.Replica{Number: 2, Of: 2}, "first:1")
		first.nextN(t, 500_000)
		time.Sleep(3 * time.Second)
		n.part("first:1", true)
		first.end(t)
		witness.nextN(t, 2_000_000)
		n.part("first:1", false)
		restored := n.start(t, copyOf, "first:1", one)
		time.Sleep(5 * time.Second)
		if !restored.hasSaid("NO MORE IDENTITIES") || !witness.hasSaid("gone back") {
			t.Errorf("said: %q, %q", restored.said, witness.said)
		}
		restored.end(t)
		witness.end(t)
	})
}

// A peer that never answers is said, once.
func TestPeerThatIsNeverThere(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newNetwork().start(t, dir, "one:1", identity.Replica{Number: 1, Of: 2}, "nobody:1")
		time.Sleep(time.Minute)
		if !r.hasSaid("peer nobody:1: it does not answer") || len(r.said) != 1 {
			t.Errorf("it has said %q", r.said)
		}
		r.end(t)
	})
}

// A server that ends says nothing of what it had asked its peers.
func TestOwnEndIsNoTrouble(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		far := n.start(t, dirs[1], "far:1", twoOfTwo)
		near := n.start(t, dirs[0], "near:1", oneOfTwo, "far:1")
		time.Sleep(1500 * time.Millisecond)
		n.hold("far:1", true)
		time.Sleep(time.Second)
		near.end(t)
		if len(near.said) != 1 { // that the peer is reached
			t.Errorf("it has said %q", near.said)
		}
		far.end(t)
	})
}

// A peer that is not followed is reached all the same, and is followed when it can be. One that
// ends is said to.
func TestPeerIsNotToBlame(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		far := n.serve(open(t, dirs[1], twoOfTwo, 3<<47), "far:1")
		near := n.start(t, dirs[0], "near:1", oneOfTwo, "far:1")
		time.Sleep(5500 * time.Millisecond) // between its ticks
		near.ids.Update(t.Context(), 1<<48)
		time.Sleep(2 * time.Second)
		far.end(t)
		synctest.Wait()
		for i, want := range []string{"replica 2/2 is not followed: update", "peer far:1: reached", "replica 2/2 is followed again", "peer far:1: the server is ending"} {
			if i >= len(near.said) || !strings.HasPrefix(near.said[i], want) {
				t.Errorf("not %q: %q", want, near.said)
			}
		}
		near.end(t)
	})
}
