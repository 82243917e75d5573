package actor

import (
	"context"
	"errors"
	"fmt"
)

// Producer puts messages into a mailbox.
type Producer[M any] interface {
	// Put adds a message behind all that are there. If the mailbox is full, its
	// [Options.WhenFull] says what happens. Where it waits it gives up with the error
	// of ctx, and with [ErrClosed] if the mailbox is closed. Where nothing is dropped, a message
	// is handed over if and only if its Put returned nil.
	Put(ctx context.Context, message M) error
	// PutAll puts the messages in their order and returns how many it has put: fewer
	// than there are only with an error. Those of others may come between where there
	// was no room, and anywhere in a [Channel].
	PutAll(ctx context.Context, messages []M) (int, error)
}

// Mailbox is where messages wait for their one receiver.
type Mailbox[M any] interface {
	Producer[M]
	// NewProducer returns a way to put. Where each has a lane of its own ([Rings]),
	// order holds among what was put through one of them; release ends it, and what
	// it has put is handed over all the same. One that was released is not to be used any
	// more: with Rings a Put through it fails with [ErrClosed], with the others it puts.
	NewProducer() (producer Producer[M], release func())
	// Receive hands over what arrives, run by run, until handle returns an error, ctx
	// ends, or the mailbox is closed and empty, which is no error, also where ctx has
	// ended. The slice is the mailbox's own: it is valid until handle returns. What was not
	// handed over stays: a later Receive goes on with it. Two at a time are an error.
	Receive(ctx context.Context, handle func(run []M) error) error
	// Close lets no further message in, and those go that wait in Put. What is in the
	// mailbox stays there to be received. A second Close returns [ErrClosed].
	Close() error
	// Len is how many messages were put and not handed over yet; those that are being
	// gathered for a run may count as handed over.
	Len() int
	// Dropped is how many messages were dropped because the mailbox was full.
	Dropped() int
}

var (
	_ Mailbox[Event] = (*Channel[Event])(nil)
	_ Mailbox[Event] = (*Buffer[Event])(nil)
	_ Mailbox[Event] = (*Rings[Event])(nil)
)

// Errors to test for with errors.Is.
var (
	ErrClosed = errors.New("the mailbox is closed")
	ErrBusy   = errors.New("the mailbox has a receiver already")
	ErrFull   = errors.New("the mailbox is full")
)

// WhenFull is what a mailbox does with a message for which it has no room.
type WhenFull int

// What can be done. Only the first two keep the promise that a message whose Put
// returned nil is handed over; with the others the result is at-most-once, and drops
// are counted. A message with a method Refuse(error) has it called where it is dropped,
// on the goroutine of whoever puts.
const (
	Wait       WhenFull = iota // until there is room
	Fail                       // with ErrFull
	DropNewest                 // the message itself; Put returns nil
	// DropOldest drops the one that has waited longest. What the receiver has taken and not
	// handed over yet, as where a run ends early ([Options.Alike]), is older and cannot be
	// dropped. A [Channel] looks whether there is room and takes the oldest in two steps: what
	// is received between them can make it drop one for which there is room by then.
	DropOldest
)

// Options are the settings of a mailbox; the zero value is useful.
type Options[M any] struct {
	// Capacity is how many messages can wait, in a lane of its own for each producer
	// of [Rings]; 0 means 1024. Up to twice as many besides may have been taken by the
	// receiver: a run, which has at most so many, and what came behind it.
	Capacity int
	// WhenFull says what happens to a message for which there is no room.
	WhenFull WhenFull
	// Alike reports whether a message goes on with a run that another one began; nil
	// means that all do. It must return: after a panic the mailbox is of no use. The
	// same holds of a message's Refuse, if it has one: it must return, and must not panic.
	Alike func(first, message M) bool
}

const defaultCapacity = 1024

// check returns the options with what they leave open filled in. A negative capacity,
// or a policy that there is not, is a mistake of whoever wrote the program.
func (o Options[M]) check() Options[M] {
	if o.Capacity < 0 {
		panic(fmt.Sprintf("actor: a mailbox with a capacity of %d", o.Capacity))
	}
	if o.WhenFull < Wait || o.WhenFull > DropOldest {
		panic(fmt.Sprintf("actor: no policy of a full mailbox has the number %d", o.WhenFull))
	}
	if o.Capacity == 0 {
		o.Capacity = defaultCapacity
	}
	return o
}

// putError says which message was not put, where it has a name.
func putError(message any, err error) error {
	if e, ok := message.(Event); ok {
		return fmt.Errorf("put %v: %w", e.Type, err)
	}
	return fmt.Errorf("put: %w", err)
}
