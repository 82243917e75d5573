package actor

import (
	"context"
	"fmt"
	"sync"
)

// Asker puts questions into a mailbox and waits for their answers; many goroutines
// can use one, unless it asks through a producer that is for one at a time. Q is what is asked, R the answer, M the messages of the mailbox.
type Asker[M, Q, R any] struct {
	to      Producer[M]
	message func(question Q, reply Reply[R]) M
	ended   <-chan struct{} // closed when who is asked has ended; nil if that cannot be told
	calls   sync.Pool
}

// NewAsker returns an asker of an [Actor], or of whoever receives from a mailbox.
// message makes a message of a question; whoever handles it calls Send of the reply.
// Where a full mailbox drops messages, and where an actor ends with messages
// unhandled, who asked is told if the message has a method Refuse(error), as one that
// embeds its Reply has.
func NewAsker[M, Q, R any](to Producer[M], message func(question Q, reply Reply[R]) M) *Asker[M, Q, R] {
	a := &Asker[M, Q, R]{to: to, message: message}
	if ends, ok := to.(interface{ Done() <-chan struct{} }); ok {
		a.ended = ends.Done()
	}
	a.calls.New = func() any { return newCall[R]() }
	return a
}

// Ask puts a question and waits for the answer. It gives up with the error of ctx,
// with that of a Put that fails ([ErrClosed] where an actor is ending or has ended), and
// with [ErrEnded] when the actor has ended before it answered; an answer that comes
// later meets [ErrNobodyWaits]. An actor that asks itself, with the context of its
// handler, gets [ErrItself] at once.
func (a *Asker[M, Q, R]) Ask(ctx context.Context, question Q) (answer R, err error) {
	if isItself(ctx, a.to) {
		return answer, fmt.Errorf("ask: %w", ErrItself)
	}
	c := a.calls.Get().(*call[R])
	defer a.calls.Put(c)
	if err := a.to.Put(ctx, a.message(question, Reply[R]{c, c.number()})); err != nil {
		c.drop()
		return answer, fmt.Errorf("ask: %w", err)
	}
	if answer, err = c.await(ctx, a.ended); err != nil {
		err = fmt.Errorf("ask: %w", err)
	}
	return answer, err
}
