package experiments

// Does an actor cost anything, where each request takes the next number?

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/identity"
)

// Sequence is N callers of one server that hands out identities, in one process: each
// makes a reply as it would go over a wire. The documents found that the actor costs
// nothing, over gRPC; this is the guard alone.
func Sequence() harness.Experiment {
	variant := func(name, about string, open func(identity.Options[wireReply]) identity.Server[wireReply]) harness.Variant {
		return harness.Variant{Name: name, About: about, Open: openServer(open),
			Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}}
	}
	return harness.Experiment{
		Name:       "sequence",
		Question:   "What does it cost to hand out the next identity under each guard, and does an actor cost anything?",
		Unit:       "identity",
		Goroutines: []int{1, 2, 8, 64},
		Variants: []harness.Variant{
			variant("simple", "the whole server under one lock: the reply is made inside", identity.NewSimple[wireReply]),
			variant("sequence", "only the counter under the lock", identity.NewSequence[wireReply]),
			variant("locker", "an actor's handler under a lock in the place of its mailbox", identity.NewLocker[wireReply]),
			variant("atomic", "one compare-and-swap", identity.NewAtomic[wireReply]),
			variant("actor-direct", "an actor; whoever asks waits for its answer", identity.NewActorDirect[wireReply]),
			variant("actor", "the same, and each request is served by an actor of its own, as in the documents", identity.NewActor[wireReply]),
		},
		Claims: []results.Claim{
			actorIsFree("actor-direct", "locker"), actorIsFree("actor", "simple"), actorIsFree("actor", "sequence"),
		},
	}
}

// actorIsFree is the documents' conclusion, within a tenth.
func actorIsFree(actor, lock string) results.Claim {
	return results.Claim{By: "the course", Text: "the actor costs nothing noticeable (found over gRPC): " + actor + " beside " + lock,
		Of: results.Side{Variant: actor}, To: results.Side{Variant: lock}, Least: 0.9}
}

// A wireReply is an identity and the message that carries it: field 1 of a protocol
// buffer, a varint.
type wireReply struct {
	first uint64
	size  int
	wire  [1 + binary.MaxVarintLen64]byte
}

func newWireReply(first, _ uint64) wireReply {
	const field = 1 << 3 // of type varint, which is 0
	r := wireReply{first: first, wire: [1 + binary.MaxVarintLen64]byte{field}}
	r.size = 1 + binary.PutUvarint(r.wire[1:], first)
	return r
}

// callers are those of one trial. What they must have got in the end: ever higher
// identities each, and all together every one from 1 on once.
type callers struct {
	server identity.Server[wireReply]
	all    []*caller
}

type caller struct {
	last, sum, squares, bytes uint64
	_                         [128]byte // no two callers on one cache line
}

func openServer(open func(identity.Options[wireReply]) identity.Server[wireReply]) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		c := &callers{server: open(identity.Options[wireReply]{Reply: newWireReply})}
		return harness.Instance{Worker: c.worker, Check: c.check, Close: c.server.Close}, nil
	}
}

func (c *callers) worker(int) harness.Operation {
	one := new(caller)
	c.all = append(c.all, one)
	ctx := context.Background()
	return func() error {
		reply, err := c.server.Next(ctx)
		if err != nil {
			return err
		}
		if reply.first <= one.last {
			return fmt.Errorf("identity %d after %d", reply.first, one.last)
		}
		one.last = reply.first
		one.sum += reply.first
		one.squares += reply.first * reply.first
		one.bytes += uint64(reply.size)
		return nil
	}
}

// check finds an identity that is missing or was handed out twice by the sums of all and
// of their squares, which go round, and by the next one.
func (c *callers) check(ops int) error {
	n := uint64(ops)
	var sum, squares, wantSum, wantSquares uint64
	for _, one := range c.all {
		sum += one.sum
		squares += one.squares
	}
	for first := uint64(1); first <= n; first++ {
		wantSum += first
		wantSquares += first * first
	}
	if sum != wantSum || squares != wantSquares {
		return fmt.Errorf("%d identities add up to %d, not %d, and their squares to %d, not %d", ops, sum, wantSum, squares, wantSquares)
	}
	next, err := c.server.Next(context.Background())
	if err == nil && next.first != n+1 {
		err = fmt.Errorf("identity %d follows after %d were handed out", next.first, ops)
	}
	return err
}
