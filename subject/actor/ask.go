package actor

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Asker puts questions into a mailbox and waits for their answers; many goroutines
// can use one. Q is what is asked, R the answer, M the messages of the mailbox.
type Asker[M, Q, R any] struct {
	to      Producer[M]
	message func(question Q, reply Reply[R]) M
	asked   any             // the actor; nil if none is
	ended   <-chan struct{} // closed when it handles nothing any more
	calls   sync.Pool
}

// NewAsker returns an asker of an [Actor], or of whoever receives from a mailbox.
// message makes a message of a question; whoever handles it calls Send of the reply.
// Where a full mailbox drops messages, and where an actor ends with messages
// unhandled, who asked is told if the message has a method Refuse(error), as one that
// embeds its Reply has.
func NewAsker[M, Q, R any](to Producer[M], message func(question Q, reply Reply[R]) M) *Asker[M, Q, R] {
	a := &Asker[M, Q, R]{to: to, message: message}
	if of, ok := to.(interface{ asked() (any, <-chan struct{}) }); ok {
		a.asked, a.ended = of.asked()
	}
	a.calls.New = func() any { return newCall[R]() }
	return a
}

// Ask puts a question and waits for the answer. It gives up with the error of ctx,
// with that of a Put that fails ([ErrClosed] where an actor is ending or has ended), and
// with [ErrEnded] when the actor's own handling has ended before it answered, be it that
// its children still work; an answer that comes later, also from a child that was handed
// the question, meets [ErrNobodyWaits]. Where ctx has ended, too, it is the error of ctx: an
// actor that is halted, and asks its child, has failed of nothing. An actor that asks itself, with the context of its
// handler, gets [ErrItself] at once; two whose handlers ask each other wait for ever.
func (a *Asker[M, Q, R]) Ask(ctx context.Context, question Q) (answer R, err error) {
	if isHandlers(ctx, a.asked) {
		return answer, fmt.Errorf("ask: %w", ErrItself)
	}
	c := a.calls.Get().(*call[R]) // after a panic it does not come back: somebody may have its reply
	if err = a.to.Put(ctx, a.message(question, Reply[R]{c, c.number()})); err != nil {
		c.abandon()
	} else {
		answer, err = c.await(ctx, a.ended)
	}
	a.calls.Put(c)
	if gone := errors.Is(err, ErrEnded) || errors.Is(err, ErrClosed); gone && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("ask: %w", err)
	}
	return answer, err
}
