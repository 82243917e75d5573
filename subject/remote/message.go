package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/internal/printable"
)

// Message is what one sends. Its payload belongs to the peer from Send on, and must not
// be changed any more.
type Message struct {
	Type    actor.EventType
	Payload []byte
}

// Outcome is what became of a message.
type Outcome uint8

// What can become of one.
const (
	Answered Outcome = iota // the receiver has handled it
	Failed                  // the receiver has handled it, to an error or to an answer that is too large
	Lost                    // it is not known to have been handled, and will not be sent again
)

// String returns the outcome in one word.
func (o Outcome) String() string {
	return [...]string{"answered", "failed", "lost"}[min(o, Lost)]
}

// Event says what became of a message that was sent, once.
type Event struct {
	Outcome Outcome
	Message Message
	// Answer is what the receiver's handler returned, if it returned no error.
	Answer []byte
	// Err is a [*HandlerError] if that failed, a [*LostError] if the message is lost.
	Err error
}

// HandlerError is that of the receiver's handler, or says that its answer is larger than
// one of the two sides takes. The message was handled in either case, once.
type HandlerError struct{ Text string }

func (e *HandlerError) Error() string { return "the receiver failed: " + e.Text }

// LostError says which message was lost, to whom, and why.
type LostError struct {
	Type     actor.EventType
	Peer     string
	Endpoint string
	Sent     bool // it may have been handled: what is lost is the answer
	Why      error
}

func (e *LostError) Error() string {
	how := "was not handled"
	if e.Sent {
		how = "may have been handled"
	}
	return fmt.Sprintf("message of type %d to %s is lost (it %s): %v", uint16(e.Type), whom(e.Peer, e.Endpoint), how, e.Why)
}

// whom names a peer.
func whom(name, endpoint string) string {
	if name == endpoint {
		return printable.Text(endpoint)
	}
	return printable.Text(name) + " at " + printable.Text(endpoint)
}

func (e *LostError) Unwrap() error { return e.Why }

// Errors to test for with errors.Is.
var (
	// ErrClosed is why messages are lost that Close has left, and what Send returns
	// behind it.
	ErrClosed = errors.New("the peer is closed")
	// ErrTooLarge is why a message is not taken: it is larger than this side or the
	// other one takes.
	ErrTooLarge = errors.New("message is too large")
	// ErrForgotten is why messages of a peer that sends exactly once are lost: the
	// receiver does not know the session any more.
	ErrForgotten = errors.New("the receiver does not know the session any more")
	// ErrStalled ends a link on which messages wait for answers and none comes.
	ErrStalled = errors.New("no answer came")
)

// A call is a message on its way, and who wants to know what becomes of it.
type call struct {
	Message
	ctx    context.Context
	reply  actor.Reply[[]byte] // of a request
	asked  bool                // it is a request
	cancel *withdrawal         // of a message whose context can end
}

// Refuse ends a request that will have no answer.
func (c call) Refuse(why error) {
	if c.asked {
		c.reply.Refuse(why)
	}
}
