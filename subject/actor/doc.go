// Package actor is an actor: private state, a mailbox, one message at a time, in the
// order of arrival.
//
//	a := actor.Start(ctx, func(self *actor.Self[int], n int) error {
//		total += n // nobody else touches it
//		return nil
//	}, actor.Settings[int]{})
//	err := a.Dispatch(ctx, 7)
//	err = a.Stop(ctx) // when what was dispatched is handled
//
// A handler can start actors of its own ([Spawn]), send messages and decide what
// handles the next one ([Self.Become]). A [Table] handles [Event] by its type.
// [Asker] asks and waits for the answer. What listens to a network is a part of its
// own, which dispatches.
//
// # Mailboxes
//
// Producers call Put of any, and need not know which it is. [Channel] is a buffered
// channel. [Buffer] is a slice under a lock, which the receiver swaps for an empty one:
// it takes the lock once for all that has arrived, where the receiver of a channel
// takes one for each message. [Rings] is such a pair of slices for each producer: order
// holds among the messages of one producer, and not between those of several.
//
// All are bounded, and [WhenFull] says what happens to a message for which there is no
// room. Where nothing is dropped, a message whose Put returned nil is handed over, also
// if Close comes right behind it; each once, nothing outlives the process.
//
// # Runs
//
// A receiver gets messages in runs. A run is a number of messages that arrived one
// after another and are alike ([Options.Alike]), or all that have arrived. Runs are
// maximal: where aaaabbb has arrived, the receiver gets aaaa and then bbb. The message
// that ends a run begins the next one. A run ends for one of three reasons:
//
//   - the next message is not like it;
//   - no other message had arrived when the receiver looked;
//   - it has as many messages as the mailbox holds.
//
// # When not to use it
//
// For state that a lock can guard, use the lock: an actor in one process costs a
// hand-over to another goroutine. To handle runs at once pays where a run costs less
// than its messages one by one: a write, a flush, a message, a lock. A receiver that
// must not keep its producers waiting wants a queue without bound, and memory to go
// with it. Nothing here leaves the process. Two actors that wait for room in each
// other's mailboxes wait for ever: give one of them [Fail].
package actor
