package experiments

// Does it matter how a service guards its counter, where each identity is asked for over gRPC?

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// Sizes of what is asked for in advance.
const (
	nextN     = 4096
	leaseSize = 65536
)

// Identity is N callers of one service that hands out identities, over loopback: in the
// end each caller has had ascending ones, and nobody one that another had. The documents
// compared four guards so; the others are ways to ask less often.
func Identity() harness.Experiment {
	linearizable := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	unique := results.Promise{Order: "per-caller", Result: "unique", Survives: "nothing"}
	return harness.Experiment{
		Name:       "identity",
		Question:   "Does it matter how a service guards its counter, where each identity is asked for over gRPC?",
		Unit:       "identity",
		Goroutines: []int{1, 8, 64},
		Variants: []harness.Variant{
			{Name: "simple", About: "the whole server under one lock; each caller has a connection", Promise: linearizable, Open: openAsking(identity.NewSimple, dialEach)},
			{Name: "sequence", About: "the counter under the lock; a connection each", Promise: linearizable, Open: openAsking(identity.NewSequence, dialEach)},
			{Name: "actor", About: "an actor for each request asks the one that counts; a connection each", Promise: linearizable, Open: openAsking(identity.NewActor, dialEach)},
			{Name: "locker", About: "an actor's handler under a lock; a connection each", Promise: linearizable, Open: openAsking(identity.NewLocker, dialEach)},
			{Name: "atomic", About: "one compare-and-swap; a connection each", Promise: linearizable, Open: openAsking(identity.NewAtomic, dialEach)},
			{Name: "atomic-shared", About: "the same; all callers share a connection", Promise: linearizable, Open: openAsking(identity.NewAtomic, dialShared)},
			{Name: "stream", About: "the same, by one stream that all share: requests on it do not wait for answers", Promise: linearizable, Open: openAsking(identity.NewAtomic, dialStream)},
			{Name: "coalesced", About: "the same; callers that wait at the same time share a request, over a stream, one of which is under way", Promise: linearizable, Open: openAsking(identity.NewAtomic, dialCoalesced)},
			{Name: "next-n", About: "each caller asks for 4,096 at a time, and hands them out itself", Promise: unique, Open: openAsking(identity.NewAtomic, dialLease(nextN))},
			{Name: "leased", About: "each caller asks for 65,536 at a time", Promise: unique, Open: openAsking(identity.NewAtomic, dialLease(leaseSize))},
		},
		Limits: []results.Limit{ // what the documents could not see: how much the guard matters where nothing else costs
			{Experiment: "sequence", Variant: "atomic", About: "the guard alone, asked in process: one compare-and-swap"},
			{Experiment: "sequence", Variant: "simple", About: "the guard alone, asked in process: the whole server under one lock"},
			{Experiment: "sequence", Variant: "actor", About: "the guard alone, asked in process: an actor for each request"},
		},
		Trades: []results.Trade{{Weaker: "next-n", Stronger: "coalesced"}, {Weaker: "leased", Stronger: "coalesced"}},
		Claims: slices.Concat(guardClaims(), coalescedClaims()),
	}
}

// guardClaims are the documents' conclusion, within a tenth.
func guardClaims() []results.Claim {
	var all []results.Claim
	for _, other := range []string{"sequence", "actor", "locker", "atomic"} {
		all = append(all, results.Claim{By: "the course", Text: "the guard costs nothing noticeable over gRPC: " + other + " beside simple",
			Of: results.Side{Variant: other}, To: results.Side{Variant: "simple"}, Least: 0.9, Most: 1 / 0.9})
	}
	return all
}

// coalescedClaims are what sharing requests was built for: the least that has to come out.
func coalescedClaims() []results.Claim {
	claim := func(text, to string, least float64) results.Claim {
		return results.Claim{By: "this project", Text: text, Of: results.Side{Variant: "coalesced"}, To: results.Side{Variant: to}, Least: least, Goroutines: 64}
	}
	return []results.Claim{
		claim("coalesced gives 64 callers at least 20 times what simple does", "simple", 20),
		claim("and at least 12 times what atomic does over one connection", "atomic-shared", 12),
	}
}

type (
	replies = identity.Options[*identitypb.Identities]
	guarded = identity.Server[*identitypb.Identities]
)

// An asking is one trial of callers: a service in this process, and ways to it.
type asking struct {
	from    guarded
	server  *grpc.Server
	address string
	served  chan error
	dial    dialIdentity
	ways    []way // one of each caller, or one that all share
	all     []*taker
}

// A way leads to the service.
type way interface {
	// taker returns what asks for the next identity, on behalf of one caller.
	taker() func() (uint64, error)
	// calls is how many requests went to the service.
	calls() int
	close() error
}

// dialIdentity opens a way; shared is whether all callers have the same one.
type dialIdentity func(address string) (w way, shared bool, err error)

// A taker is one caller: what it has got is looked through in the end.
type taker struct {
	got []taken
	_   [128]byte // no two callers on one cache line
}

// Taken are identities that follow each other without a gap.
type taken struct{ first, last uint64 }

// take notes an identity, which has to be above all that the caller had.
func (t *taker) take(id uint64) error {
	if n := len(t.got); n > 0 {
		switch last := &t.got[n-1].last; {
		case id <= *last:
			return fmt.Errorf("identity %d after %d", id, *last)
		case id == *last+1:
			*last = id
			return nil
		}
	}
	t.got = append(t.got, taken{id, id})
	return nil
}

func openAsking(open func(replies) guarded, dial dialIdentity) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		a := &asking{from: open(replies{Reply: identityrpc.Replies(1)}), dial: dial}
		if err := a.serve(); err != nil {
			return harness.Instance{}, errors.Join(err, a.close())
		}
		for range s.Goroutines {
			w, shared, err := dial(a.address)
			if err != nil {
				return harness.Instance{}, errors.Join(err, a.close())
			}
			a.ways = append(a.ways, w)
			if shared {
				break
			}
		}
		if err := a.warm(); err != nil {
			return harness.Instance{}, errors.Join(err, a.close())
		}
		return harness.Instance{Worker: a.worker, Calls: a.calls, Check: a.check, Close: a.close}, nil
	}
}

func (a *asking) serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	a.address, a.server, a.served = listener.Addr().String(), grpc.NewServer(), make(chan error, 1)
	identitypb.RegisterIdentityServer(a.server, identityrpc.NewService(a.from, 0))
	go func() { a.served <- a.server.Serve(listener) }()
	return nil
}

// warm has each way connected: what is measured is no handshake.
func (a *asking) warm() error {
	for _, w := range a.ways {
		if _, err := w.taker()(); err != nil {
			return err
		}
	}
	return nil
}

func (a *asking) worker(g int) harness.Operation {
	t := &taker{got: make([]taken, 0, 1<<16)}
	a.all = append(a.all, t)
	next := a.ways[min(g, len(a.ways)-1)].taker()
	return func() error {
		id, err := next()
		if err != nil {
			return err
		}
		return t.take(id)
	}
}

func (a *asking) calls() int {
	n := 0
	for _, w := range a.ways {
		n += w.calls()
	}
	return n
}

// check finds an identity that two callers had, and one that nobody was handed out.
func (a *asking) check(ops int) error {
	var all []taken
	n := uint64(0)
	for _, t := range a.all {
		all = append(all, t.got...)
	}
	slices.SortFunc(all, func(x, y taken) int { return int(min(max(int64(x.first)-int64(y.first), -1), 1)) })
	end := uint64(0)
	for _, t := range all {
		if t.first <= end {
			return fmt.Errorf("identity %d was handed out twice", t.first)
		}
		end = t.last
		n += t.last - t.first + 1
	}
	if n != uint64(ops) {
		return fmt.Errorf("%d identities for %d operations", n, ops)
	}
	reply, err := a.from.NextN(context.Background(), 1)
	if err == nil && reply.First <= end {
		err = fmt.Errorf("identity %d after %d was handed out", reply.First, end)
	}
	return err
}

func (a *asking) close() error {
	var err error
	for _, w := range a.ways {
		err = errors.Join(err, w.close())
	}
	if a.server != nil {
		a.server.Stop()
		err = errors.Join(err, <-a.served)
	}
	return errors.Join(err, a.from.Close())
}
