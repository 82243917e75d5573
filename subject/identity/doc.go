// Package identity hands out identities: ascending numbers, each one once, under the
// guard of your choice.
//
//	ids := identity.NewAtomic(identity.Options[uint64]{Reply: identity.Number})
//	id, err := ids.Next(ctx)
//
// A [Server] counts and makes a reply. The guards differ in what they hold while they
// do so:
//
//	NewSimple       one lock around counting and making the reply
//	NewSequence     one lock around counting
//	NewLocker       an actor's handler, under a lock in the place of its mailbox
//	NewAtomic       no lock: one compare-and-swap
//	NewActorDirect  an actor, which whoever asks waits for
//	NewActor        the same, and for each request an actor of its own that asks it
//
// All promise the same: order total, result linearizable, survives nothing. An
// identity is above all those that were handed out, or raised to, before it was asked
// for. None is handed out twice. Numbers are skipped where Update raises the floor, and
// may be where a caller gives up or its reply cannot be made. Only the actors wait, and
// so look at the context: the others answer whatever it says.
//
// [OpenKept] keeps in a directory what was handed out, so that a process that is started anew
// goes on behind it: order total, result linearizable, survives power-cut. Its server can be
// one of several replicas, which share the numbers. A directory that is copied, or put back
// from a backup, hands out the same again: by itself it cannot know. Package
// identityrpc beside this one serves it over gRPC, and has replicas find that.
//
// # When not to use it
//
// Where only uniqueness counts, and no order, random numbers
// (UUIDs) need no guard at all.
package identity
