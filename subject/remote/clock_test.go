package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/internal/pipes"
)

// Tests in which waits are as long as they are in life, by a clock that is made up.

// A room is a receiver and the way to it, in memory.
type room struct {
	listener *pipes.Listener
	stop     func()
}

func newRoom(handler Handler, options ServiceOptions) room {
	r := room{listener: pipes.Listen()}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, r.listener, handler, options) }()
	r.stop = func() { cancel(); <-served }
	return r
}

func (r room) dial(ctx context.Context, _ string) (net.Conn, error) {
	return r.listener.Dial(ctx)
}

func (r room) peer(t *testing.T, options Options) *Peer {
	options.Dialer = r.dial
	return dial(t, "room:1", options)
}

// slow takes its time for each message.
func slow(d time.Duration) Handler {
	return func(context.Context, string, Message) ([]byte, error) { time.Sleep(d); return nil, nil }
}

// An answer that comes in time is taken, whenever the message was sent.
func TestAnswerInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(slow(9900*time.Millisecond), ServiceOptions{})
		defer r.stop()
		p := r.peer(t, Options{})
		for i := range 30 {
			time.Sleep(time.Duration(i) * 777 * time.Millisecond)
			if _, err := p.Request(t.Context(), ping()); err != nil {
				t.Error(err)
			}
		}
		if err := p.Close(t.Context()); err != nil || p.Counts().Reconnects > 0 {
			t.Error(err, p.Counts())
		}
	})
}

// A handler that takes its time has thousands of messages in a packet, and their answers
// go out while it handles the others.
func TestSlowHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(slow(10*time.Millisecond), ServiceOptions{})
		defer r.stop()
		p := r.peer(t, Options{})
		told := events(t, p)
		for range 4000 {
			if err := p.Send(t.Context(), Message{Payload: make([]byte, 16)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		told()
		if n := p.Counts(); n.Answered != 4000 || n.Reconnects > 0 {
			t.Errorf("%+v", n)
		}
	})
}

// A handler that heeds its context is not disturbed by the end of a stream where what it
// does is kept: else a message would take effect only when it is handled again.
func TestInboxKeepsWhatWasHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inbox := commitlog.OpenMemory(commitlog.MemoryOptions{})
		handled := 0
		heeding := func(ctx context.Context, _ string, m Message) ([]byte, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Second):
				handled++
				return nil, nil
			}
		}
		r := newRoom(heeding, ServiceOptions{Inbox: inbox})
		p := r.peer(t, Options{})
		if err := p.Send(t.Context(), ping()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second / 2) // the message is in hand
		r.stop()
		ended, end := context.WithCancel(t.Context())
		end()
		p.Close(ended)
		before := handled
		if _, err := NewService(t.Context(), heeding, ServiceOptions{Inbox: inbox}); err != nil || before != 1 || handled != 2 {
			t.Errorf("%d handled before the start, and %d with it: %v", before, handled, err)
		}
	})
}

// A link that is cut while nothing is sent on it was of use as long as it lived: however
// often that happens, the next one is soon there. One that breaks at once was not.
func TestPausesOfIdleLinks(t *testing.T) {
	for _, c := range []struct {
		lives       time.Duration
		least, most time.Duration // what the pause behind the tenth one is
	}{
		{300 * time.Millisecond, 0, 3 * defaultBackoff / 2},
		{time.Millisecond, mostPauses * defaultBackoff / 2, mostPauses * defaultBackoff * 3 / 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRoom(echo, ServiceOptions{})
			defer r.stop()
			var cut time.Time
			var pause time.Duration
			p := dial(t, "room:1", Options{Dialer: func(ctx context.Context, endpoint string) (net.Conn, error) {
				pause = time.Since(cut)
				conn, err := r.dial(ctx, endpoint)
				time.AfterFunc(c.lives, func() { cut = time.Now(); conn.Close() })
				return conn, err
			}})
			for p.Counts().Reconnects < 10 {
				time.Sleep(time.Millisecond / 10)
			}
			if pause < c.least || pause > c.most {
				t.Errorf("links that live for %v: a pause of %v behind the tenth", c.lives, pause)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			p.Close(ended)
		})
	}
}

// Every Close waits until the peer is closed, and the end of any one's context is.
func TestSecondClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := New("room:1", Options{Dialer: func(context.Context, string) (net.Conn, error) { return nil, errFaulty }})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Send(t.Context(), ping()); err != nil { // it never goes out
			t.Fatal(err)
		}
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- p.Close(context.Background()) }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		go func() { second <- p.Close(ctx) }()
		synctest.Wait()
		if len(second) > 0 {
			t.Error("the second one does not wait")
		}
		cancel()
		synctest.Wait()
		if len(first) == 0 || len(second) == 0 {
			t.Fatal("they do not give up")
		}
		if err := <-first; err == nil || !strings.Contains(err.Error(), "1 messages left") {
			t.Error(err)
		}
		if err := <-second; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// Requests fail in one form: with an error that wraps what says why.
func TestErrorsOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(func(ctx context.Context, _ string, m Message) ([]byte, error) {
			if m.Type == 1 {
				return nil, errors.New("no")
			}
			<-ctx.Done()
			return nil, nil
		}, ServiceOptions{})
		defer r.stop()
		p := r.peer(t, Options{})
		_, err := p.Request(t.Context(), Message{Type: 1})
		if failed, is := errors.AsType[*HandlerError](err); !is || err == error(failed) {
			t.Error(err)
		}
		_, err = p.Request(t.Context(), Message{Type: 2})
		if lost, is := errors.AsType[*LostError](err); !is || err == error(lost) || !errors.Is(err, ErrStalled) {
			t.Error(err)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Close waits for nothing where all that is there was given up, by a message's own context or
// by that of who asked, and there is no link.
func TestCloseBesideWhatIsGivenUp(t *testing.T) {
	for name, give := range map[string]func(ctx context.Context, p *Peer) error{
		"a message": func(ctx context.Context, p *Peer) error { return p.Send(ctx, ping()) },
		"a request": func(ctx context.Context, p *Peer) error {
			if _, err := p.Request(ctx, ping()); !errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("asked nobody: %v", err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				nobody := func(context.Context, string) (net.Conn, error) { return nil, errors.New("nobody is there") }
				p, err := New("room:1", Options{Dialer: nobody})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				if err := give(ctx, p); err != nil {
					t.Error(err)
				}
				if err := p.Close(t.Context()); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > 50*time.Millisecond || p.Counts().Lost != 1 {
					t.Errorf("closed after %v, with %+v", took, p.Counts())
				}
			})
		})
	}
}
