package remote

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

func ping() Message { return Message{Type: 3, Payload: []byte("ping")} }

// events collects what a peer tells until it is closed.
func events(t *testing.T, p *Peer) func() []Event {
	got := make(chan []Event, 1)
	go func() {
		var all []Event
		if err := p.Events(context.Background(), func(run []Event) error { all = append(all, run...); return nil }); err != nil {
			t.Error(err)
		}
		got <- all
	}()
	return func() []Event { return <-got }
}

func TestDialSaysWhyNot(t *testing.T) {
	noLeaks(t)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	free.Close()
	for _, c := range []struct{ endpoint, want string }{
		{nobody, "connection refused"},
		{other.Listener.Addr().String(), "looked like an HTTP/1.1 header"},
		{"nowhere\x1b[31m", "not HOST:PORT"},
	} {
		_, err := Dial(t.Context(), c.endpoint, Options{Stalled: 5 * time.Second})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", c.endpoint, err)
		}
		t.Log(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Dial(ctx, nobody, Options{}); err == nil {
		t.Error("dialled with a context that had ended")
	}
	if _, err := New(nobody, Options{Mailbox: -1}); err == nil {
		t.Error("a mailbox of -1 was taken")
	}
}

// What cannot be sent is told, with its type, the peer and its endpoint, when its
// context ends, also while there is no link.
func TestWaitingMessageIsWithdrawn(t *testing.T) {
	noLeaks(t)
	p, err := New("127.0.0.1:1", Options{Name: "absent", Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan Event, 2)
	go p.Events(context.Background(), func(run []Event) error {
		for _, e := range run {
			got <- e
		}
		return nil
	})
	for range 2 { // one in the messenger's hands, one in the mailbox
		if err := p.Send(ctx, ping()); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	e := <-got
	var lost *LostError
	if !errors.As(e.Err, &lost) || lost.Type != 3 || lost.Peer != "absent" || lost.Endpoint != "127.0.0.1:1" || lost.Sent || !errors.Is(e.Err, context.Canceled) {
		t.Errorf("%+v", e)
	}
	if _, err := p.Request(ctx, ping()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	p.Close(ended)
	if n := p.Counts(); n.Answered != 0 || n.Lost != 3 {
		t.Errorf("%+v", n)
	}
}

func TestHandlerFails(t *testing.T) {
	noLeaks(t)
	p := dial(t, listen(t, func(context.Context, string, Message) ([]byte, error) { return nil, errors.New("no\x1b[31m") }, ServiceOptions{}), Options{})
	all := events(t, p)
	_, err := p.Request(t.Context(), ping())
	var failed *HandlerError
	if !errors.As(err, &failed) || failed.Text != `no\x1b[31m` {
		t.Error(err)
	}
	if err := p.Send(t.Context(), ping()); err != nil {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := all(); len(got) != 1 || got[0].Outcome != Failed || !errors.As(got[0].Err, &failed) {
		t.Errorf("%+v", got)
	}
}

// A message or an answer that is too large is one error, and the link stays.
func TestTooLarge(t *testing.T) {
	noLeaks(t)
	p := dial(t, listen(t, func(_ context.Context, _ string, m Message) ([]byte, error) {
		return make([]byte, 10*len(m.Payload)), nil
	}, ServiceOptions{Largest: 1000}), Options{Largest: 2000})
	if _, err := p.Request(t.Context(), Message{Payload: make([]byte, 1001)}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if err := p.Send(t.Context(), Message{Payload: make([]byte, 2001)}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := p.Request(t.Context(), Message{Payload: make([]byte, 101)}); err == nil || !strings.Contains(err.Error(), "was handled, and its answer is too large") {
		t.Error(err)
	}
	if answer, err := p.Request(t.Context(), Message{Payload: make([]byte, 100)}); err != nil || len(answer) != 1000 {
		t.Error(len(answer), err)
	}
	if err := p.Close(t.Context()); err != nil || p.Counts().Reconnects != 0 {
		t.Error(err, p.Counts())
	}
}

// Messages near the limit, and packets of many, arrive whole.
func TestLargeMessages(t *testing.T) {
	p := dial(t, listen(t, echo, ServiceOptions{}), Options{Mailbox: 8})
	all := events(t, p)
	sizes := []int{0, 1, packetSize - 1, packetSize, packetSize + 1, 1 << 20, 3, 1 << 20, 40_000, 40_000}
	for i, n := range sizes {
		payload := make([]byte, n)
		for j := range payload {
			payload[j] = byte(i)
		}
		if err := p.Send(t.Context(), Message{Payload: payload}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for i, e := range all() {
		if len(e.Message.Payload) != sizes[i] || string(e.Answer) != string(e.Message.Payload) {
			t.Errorf("message %d of %d bytes: answer of %d, %v", i, sizes[i], len(e.Answer), e.Err)
		}
	}
}

// A receiver that handles nothing lets no more be sent than is bounded; Close gives up
// when it is told to, and says how many are left.
func TestReceiverNeverReads(t *testing.T) {
	noLeaks(t)
	leave := make(chan struct{})
	p := dial(t, listen(t, func(ctx context.Context, _ string, m Message) ([]byte, error) {
		<-leave
		return nil, nil
	}, ServiceOptions{}), Options{Mailbox: 10, PerPacket: 5, InFlight: 2})
	sent := 0
	full, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // as long as it takes to be full
	defer cancel()
	for ; sent < 1000; sent++ {
		if err := p.outbox.Put(full, call{Message: ping(), ctx: t.Context()}); err != nil {
			break
		}
	}
	if sent < 10 || sent > 10+20+10 {
		t.Errorf("%d messages went where 10 wait, 20 are taken and 10 are on their way", sent)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	err := p.Close(ended)
	if n := p.Counts(); n.Left != sent || n.Lost != sent || err == nil || !strings.Contains(err.Error(), "messages left") {
		t.Errorf("%d sent: %+v, %v", sent, n, err)
	}
	close(leave)
	if err := p.Send(t.Context(), ping()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := p.Close(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// Left are messages that Close has given up, and none that their contexts have, whatever
// the cause of those is.
func TestLeftIsWhatCloseGaveUp(t *testing.T) {
	p, err := New("127.0.0.1:1", Options{Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	for range 3 {
		if err := p.Send(ctx, ping()); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := p.Send(t.Context(), ping()); err != nil {
			t.Fatal(err)
		}
	}
	cancel(ErrClosed) // that of another peer
	for p.Counts().Lost < 3 {
		time.Sleep(time.Millisecond)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := p.Close(ended); err == nil || !strings.Contains(err.Error(), "2 messages left") || p.Counts().Left != 2 {
		t.Error(err, p.Counts())
	}
}

// What a foreign client sends ends its stream with one error, and nobody else's.
func TestForeignPackets(t *testing.T) {
	noLeaks(t)
	endpoint := listen(t, echo, ServiceOptions{Largest: 100})
	const who = "0123456789abcdef"
	hello := &remotepb.Packet{Hello: &remotepb.Hello{Version: version, Session: []byte(who), Began: 1, Next: 1, Largest: 100}}
	for name, packets := range map[string][]*remotepb.Packet{
		"another version":      {{Hello: &remotepb.Hello{Version: 99, Next: 1}}},
		"no greeting":          {{First: 1, Frames: []byte{1, 0}}},
		"a short session":      {{Hello: &remotepb.Hello{Version: version, Session: []byte("short"), Began: 1, Next: 1}}},
		"no session":           {{Hello: &remotepb.Hello{Version: version, Began: 1, Next: 1}}},
		"a long name":          {{Hello: &remotepb.Hello{Version: version, Session: []byte(who), Began: 1, Next: 1, Name: strings.Repeat("x", mostName+1)}}},
		"next before began":    {{Hello: &remotepb.Hello{Version: version, Session: []byte(who), Began: 2, Next: 1}}},
		"next beyond counting": {{Hello: &remotepb.Hello{Version: version, Session: []byte(who), Began: 1, Next: 1 << 63}}},
		"a frame cut off":      {hello, {First: 1, Frames: []byte{1, 5, 'a'}}},
		"a head without end":   {hello, {First: 1, Frames: []byte{0xff, 0xff}}},
		"a huge length":        {hello, {First: 1, Frames: []byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}}},
		"a type out of bounds": {hello, {First: 1, Frames: []byte{0xff, 0xff, 0xff, 1, 0}}},
		"a message too large":  {hello, {First: 1, Frames: appendFrame(nil, 1, make([]byte, 101))}},
		"a gap":                {hello, {First: 2, Frames: []byte{1, 0}}},
		"nothing":              {hello, {First: 1}},
		"settled before":       {hello, {First: 1, Settled: 1, Frames: []byte{1, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := grpc.NewClient("passthrough:///"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			s, err := remotepb.NewRemoteClient(conn).Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, packet := range packets {
				if err := s.Send(packet); err != nil {
					break
				}
			}
			for err == nil {
				var answer *remotepb.Packet
				if answer, err = s.Recv(); err == nil && answer.Hello == nil {
					t.Errorf("answered with %v", answer)
				}
			}
			t.Log(err)
		})
	}
	p := dial(t, endpoint, Options{})
	if _, err := p.Request(t.Context(), ping()); err != nil {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A receiver that has forgotten the session says so, and what had been sent is lost with
// that reason; the peer goes on.
func TestForgottenSession(t *testing.T) {
	noLeaks(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := listener.Addr().String()
	serve := func(listener net.Listener, handler Handler) (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, listener, handler, ServiceOptions{}) }()
		return func() { cancel(); <-ended }
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	stop := serve(listener, func(context.Context, string, Message) ([]byte, error) {
		close(entered)
		<-leave
		return nil, nil
	})
	p := dial(t, endpoint, Options{ExactlyOnce: true, Backoff: time.Millisecond})
	failed := make(chan error, 1)
	go func() {
		_, err := p.Request(context.Background(), ping())
		failed <- err
	}()
	<-entered
	go close(leave)
	stop()
	if listener, err = net.Listen("tcp", endpoint); err != nil {
		t.Fatal(err)
	}
	stop = serve(listener, echo)
	defer stop()
	var lost *LostError
	if err := <-failed; err != nil && (!errors.As(err, &lost) || !errors.Is(err, ErrForgotten) || !lost.Sent) {
		t.Error(err)
	}
	again := errors.New("not yet")
	for again != nil { // one that the old receiver got is lost, too
		if _, again = p.Request(t.Context(), ping()); again != nil && !errors.Is(again, ErrForgotten) {
			t.Fatal(again)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
