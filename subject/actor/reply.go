package actor

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
)

// ErrNobodyWaits is what an answer meets that comes too late, or is the second one.
var ErrNobodyWaits = errors.New("nobody waits for this answer")

// Reply is where the answer to one question goes. It travels with the question and
// may be kept: the answer can come from any goroutine, once, while the actor that was
// asked handles messages.
type Reply[R any] struct {
	call   *call[R]
	number uint64 // of the question that the call is used for
}

// Send answers. It returns [ErrNobodyWaits] if whoever asked has given up, or was
// answered.
func (r Reply[R]) Send(answer R) error { return r.end(answer, nil) }

// Refuse ends the question without an answer: Ask returns the error.
func (r Reply[R]) Refuse(why error) {
	var none R
	if why == nil {
		why = errRefused
	}
	r.end(none, why) // if nobody waits, nobody need be told
}

var errRefused = errors.New("refused")

func (r Reply[R]) end(answer R, err error) error {
	if r.call == nil || !r.call.answer(r.number, answer, err) {
		return ErrNobodyWaits
	}
	return nil
}

// A call is what one goroutine at a time asks with, again and again. Questions have
// numbers, so that a late answer to one is not taken for that to the next.
type call[R any] struct {
	state atomic.Uint64 // the question's number, times four, and the phase
	value R
	err   error
	rung  chan struct{} // has room for one
}

// Phases of a question.
const (
	_         = iota // who asked looks for the answer
	parked           // who asked has to be woken
	answering        // somebody writes the answer
	answered
)

func newCall[R any]() *call[R] { return &call[R]{rung: make(chan struct{}, 1)} }

// number is that of the question the call is used for.
func (c *call[R]) number() uint64 { return c.state.Load() >> 2 }

// answer reports whether somebody waits for the answer to the question.
func (c *call[R]) answer(number uint64, value R, err error) bool {
	for {
		state := c.state.Load()
		if state>>2 != number || state&3 >= answering {
			return false
		}
		if c.state.CompareAndSwap(state, number<<2|answering) {
			c.value, c.err = value, err
			c.state.Store(number<<2 | answered)
			if state&3 == parked {
				c.rung <- struct{}{}
			}
			return true
		}
	}
}

// looksForAnswer is how often who asked lets others run before being parked.
const looksForAnswer = 3

// await waits for the answer, until ctx ends or who was asked has ended.
func (c *call[R]) await(ctx context.Context, ended <-chan struct{}) (R, error) {
	for range looksForAnswer {
		if c.state.Load()&3 == answered {
			return c.take()
		}
		runtime.Gosched()
	}
	number := c.number()
	if c.state.CompareAndSwap(number<<2, number<<2|parked) { // it was open
		select {
		case <-c.rung:
		case <-ctx.Done():
			return c.giveUp(number, ctx.Err())
		case <-ended:
			return c.giveUp(number, ErrEnded)
		}
	}
	c.settle()
	return c.take()
}

// settle waits for an answer that is being written.
func (c *call[R]) settle() {
	for c.state.Load()&3 != answered {
		runtime.Gosched()
	}
}

// giveUp ends a question for which the goroutine was parked. An answer that has come
// meanwhile counts.
func (c *call[R]) giveUp(number uint64, why error) (R, error) {
	if c.state.CompareAndSwap(number<<2|parked, (number+1)<<2) {
		var none R
		return none, why
	}
	<-c.rung
	return c.take()
}

// take ends a question that was answered.
func (c *call[R]) take() (R, error) {
	var none R
	value, err := c.value, c.err
	c.value, c.err = none, nil
	c.drop()
	return value, err
}

// abandon ends a question whose message was not put. Whoever has its reply all the same
// may be answering it.
func (c *call[R]) abandon() {
	number := c.number()
	if !c.state.CompareAndSwap(number<<2, (number+1)<<2) {
		c.settle()
		c.take()
	}
}

// drop makes the call ready for another question. Answers to this one meet nobody.
func (c *call[R]) drop() { c.state.Store((c.number() + 1) << 2) }
