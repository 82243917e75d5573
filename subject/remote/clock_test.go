package remote

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/test/bufconn"
)

// Tests in which waits are as long as they are in life, by a clock that is made up.

// A room is a receiver and the way to it, in memory.
type room struct {
	listener *bufconn.Listener
	stop     func()
}

func newRoom(handler Handler, options ServiceOptions) room {
	r := room{listener: bufconn.Listen(1 << 20)}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, r.listener, handler, options) }()
	r.stop = func() { cancel(); <-served }
	return r
}

func (r room) dial(ctx context.Context, _ string) (net.Conn, error) {
	return r.listener.DialContext(ctx)
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
