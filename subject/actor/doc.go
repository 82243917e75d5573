// Package actor will be the actor of this project: private state, a mailbox,
// one event at a time, in the order of arrival. So far it has the receiving
// half: events, and mailboxes whose one receiver handles a whole run of like
// events at once.
//
//	box := actor.NewBuffer(actor.Options{})
//	go box.Receive(ctx, func(run []actor.Event) error {
//		return write(run[0].Type, run) // once for all of them
//	})
//	err := box.Put(ctx, actor.Event{Type: actor.SyncRequest, Value: id})
//
// # Runs
//
// A run is a number of events that arrived one after another and have the same
// Type; their Source and Value may differ, and all of them are handed over, in
// the order of arrival. Runs are maximal: where aaaabbb has arrived, the
// receiver gets aaaa and then bbb. The event that ends a run begins the next
// one. A run ends for one of three reasons:
//
//   - the next event has another type;
//   - no other event had arrived when the run was handed over;
//   - it has as many events as the mailbox holds.
//
// # Two mailboxes
//
// Producers call Put of either, and need not know which it is. [Channel] is a
// buffered channel. [Buffer] is a slice under a lock, which the receiver swaps
// for an empty one: it takes the lock once for all that has arrived, where the
// receiver of a channel takes one for each event.
//
// Both are bounded: a Put into a full mailbox waits until there is room, the
// mailbox is closed or its context ends. Nothing is dropped. An event whose Put
// returned nil is handed over, also if Close comes right behind it; order
// total, result linearizable, survives nothing.
//
// # When not to use it
//
// To handle runs at once pays where a run costs less than its events one by
// one: a write, a flush, a message, a lock. Where every event costs the same
// alone as in company, range over a channel. A receiver that must not keep its
// producers waiting wants a queue without bound, and memory to go with it.
// Nothing here leaves the process.
package actor
