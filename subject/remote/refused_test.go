package remote

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// A message that was taken for a stream which then was the last one no more waits for the
// next. When its context ends it is lost at once, although there is no stream.
func TestMessageWithoutItsStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := New("room:1", Options{Dialer: func(ctx context.Context, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.link.begin(deadEnd{1}, func(error) {}, 1, p.fits); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		c := callOf(1)
		c.ctx = ctx
		c.cancel = &withdrawal{stop: func() bool { p.link.broken(errors.New("broken")); return true }} // between await and register
		rest := p.send([]call{c})
		if len(rest) != 1 {
			t.Fatalf("%d messages wait for the next stream", len(rest))
		}
		go p.send(rest)
		synctest.Wait()
		cancel(errors.New("not needed"))
		synctest.Wait()
		if n := p.Counts().Lost; n != 1 {
			t.Errorf("%d messages are lost when their context has ended", n)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A message that goes on over the next stream leaves nothing behind on its context, which
// may be that of the whole program.
func TestMessageLeavesItsContext(t *testing.T) {
	p, err := New("room:1", Options{Dialer: func(ctx context.Context, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.link.begin(deadEnd{1}, func(error) {}, 1, p.fits); err != nil {
		t.Fatal(err)
	}
	ctx := &watchedContext{Context: t.Context(), never: make(chan struct{})}
	c := callOf(1)
	c.ctx = ctx
	c.cancel = &withdrawal{stop: func() bool { p.link.broken(errors.New("broken")); return true }} // between await and register
	rest := p.send([]call{c})
	if len(rest) != 1 || ctx.watches != 1 {
		t.Fatalf("%d messages wait for the next stream, %d functions for their context", len(rest), ctx.watches)
	}
	if taken := p.take(rest); len(taken) != 1 || ctx.watches != 0 {
		t.Errorf("%d messages are sent, %d functions wait for their context", len(taken), ctx.watches)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A watchedContext counts what context.AfterFunc leaves on it.
type watchedContext struct {
	context.Context
	never   chan struct{}
	watches int
}

// Done is its own, so that no other context is watched in its place.
func (c *watchedContext) Done() <-chan struct{} { return c.never }

func (c *watchedContext) AfterFunc(func()) func() bool {
	c.watches++
	return func() bool { c.watches--; return true }
}

// A message that is lost by its context says by which error, and by which cause.
func TestEndedByACause(t *testing.T) {
	cause := errors.New("not needed")
	for _, c := range []struct {
		cause error
		want  []error
	}{{nil, []error{context.Canceled}}, {cause, []error{context.Canceled, cause}}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := ended(ctx); err != nil {
			t.Error(err)
		}
		cancel(c.cause)
		for _, want := range c.want {
			if err := ended(ctx); !errors.Is(err, want) {
				t.Errorf("%v is not %v", err, want)
			}
		}
	}
}

// Dial and Request end with the context's error, and with its cause.
func TestDialAndRequestEndByACause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := Options{Dialer: func(ctx context.Context, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }}
		cause := errors.New("too slow")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		if _, err := Dial(ctx, "room:1", options); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cause) {
			t.Error(err)
		}
		p, err := New("room:1", options)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel = context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		if _, err := p.Request(ctx, messageOf(1)); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cause) {
			t.Error(err)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
