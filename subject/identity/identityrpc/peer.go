package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// A peer is another replica, as the local actor sees it.
type peer struct {
	*remote.Peer
	address string
	number  uint64      // of the replica that has answered last; the local actor's
	waits   bool        // for the reply to a syncRequest; the local actor's
	misses  int         // intervals that it has waited for it; the local actor's
	trouble string      // why it was not reached; the local actor's
	met     bool        // at least once; the local actor's
	answers atomic.Bool // it has answered last
}

// leastPatience is what a peer has at least to connect and to answer: some round trips
// around the world.
const leastPatience = time.Second

// newPeer connects by itself. An attempt that began before a peer was back ends within an
// interval, and the pause behind it is shorter: two suffice to catch up, where an interval is
// as long as leastPatience.
func newPeer(address string, own identity.Replica, options ServeOptions) (*peer, error) {
	r, err := remote.New(address, remote.Options{
		Self: "replica " + own.String(), Mailbox: 2, Largest: mostFloor, TLS: options.PeerTLS, Dialer: options.Dialer,
		Stalled: max(options.Interval, leastPatience), Backoff: max(options.Interval/200, time.Microsecond),
	})
	if err != nil {
		return nil, err
	}
	return &peer{Peer: r, address: address}, nil
}

// Settled is what became of a syncRequest.
type settled struct {
	floor *identitypb.Floor
	err   error
}

// tell dispatches what becomes of messages to the local actor.
func (p *peer) tell(ctx context.Context, local *actor.Actor[actor.Event]) {
	p.Events(ctx, func(events []remote.Event) error {
		for _, e := range events {
			var s settled
			if s.err = e.Err; s.err == nil {
				s.floor, s.err = readFloor(e.Answer)
			}
			if err := local.Dispatch(ctx, actor.Event{Type: actor.SyncReply, Source: p, Value: s}); err != nil {
				return err // it has ended
			}
		}
		return nil
	})
}

// mostMisses is how many intervals a peer may be silent before that is said.
const mostMisses = 2

var errSilent = errors.New("it does not answer: is it there, and secured as this one is?")

// missed is what there is to say of a peer that has not answered for an interval.
func (p *peer) missed() string {
	if p.misses++; p.misses != mostMisses {
		return ""
	}
	return p.changed(errSilent)
}

// changed is what there is to say of a peer that is reached, or is not, since last time.
func (p *peer) changed(err error) string {
	p.answers.Store(err == nil)
	before := p.trouble
	p.trouble = ""
	switch {
	case err != nil:
		p.trouble = err.Error()
		if failed, is := errors.AsType[*remote.HandlerError](err); is {
			p.trouble = failed.Text // in its own words
		}
		if p.trouble != before {
			return fmt.Sprintf("peer %s: %s", p.address, p.trouble)
		}
	case before != "" || !p.met:
		p.met = true
		return fmt.Sprintf("peer %s: reached", p.address)
	}
	return ""
}

// close gives up what is on its way.
func (p *peer) close() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Close(ctx)
}
