package remote

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// large answers with so many bytes.
func large(n int) Handler {
	return func(context.Context, string, Message) ([]byte, error) { return make([]byte, n), nil }
}

// A receiver is anew what it was, also where its answers are many times what it keeps of
// them, and where a peer takes less than it does.
func TestReceiverBeginsAnew(t *testing.T) {
	inbox := commitlog.OpenMemory(commitlog.MemoryOptions{})
	for _, c := range []struct{ answer, largest, most int }{{1 << 20, 1 << 20, 60}, {2000, 1000, 1}} {
		ctx, stop := context.WithCancel(context.Background())
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, listener, large(c.answer), ServiceOptions{Inbox: inbox}) }()
		p := dial(t, listener.Addr().String(), Options{ExactlyOnce: true, Largest: c.largest, Backoff: time.Millisecond})
		told := events(t, p)
		for range c.most {
			if err := p.Send(t.Context(), ping()); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for _, e := range told() {
			if (e.Outcome == Answered) != (c.answer <= c.largest) || len(e.Answer) > c.largest {
				t.Errorf("an answer of %d bytes for one who takes %d: %v of %d, %v", c.answer, c.largest, e.Outcome, len(e.Answer), e.Err)
			}
		}
		stop()
		<-served
		s, err := NewService(t.Context(), large(c.answer), ServiceOptions{Inbox: inbox})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range s.receiver.lines.all {
			for _, a := range l.unsettled.waiting() {
				if len(a.frames) > packetSize+frameSize(make([]byte, l.most)) {
					t.Errorf("answers of %d bytes are kept for one who takes %d", len(a.frames), l.most)
				}
			}
		}
	}
}

// Messages that the receiver does not take are lost with that reason, also those that
// waited for it to come, and those that another one took; the others arrive.
func TestReceiverTakesLess(t *testing.T) {
	for _, once := range []bool{false, true} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		endpoint := listener.Addr().String()
		listener.Close()
		p, err := New(endpoint, Options{ExactlyOnce: once, Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		told := events(t, p)
		for _, n := range []int{10, 2000, 20, 3000, 30} {
			if err := p.Send(t.Context(), Message{Payload: make([]byte, n)}); err != nil {
				t.Fatal(err)
			}
		}
		if listener, err = net.Listen("tcp", endpoint); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, listener, echo, ServiceOptions{Largest: 1000}) }()
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for _, e := range told() {
			var lost *LostError
			tooLarge := errors.Is(e.Err, ErrTooLarge) && errors.As(e.Err, &lost) && !lost.Sent
			if tooLarge != (len(e.Message.Payload) > 1000) || !tooLarge && e.Err != nil {
				t.Errorf("a message of %d bytes: %v", len(e.Message.Payload), e.Err)
			}
		}
		stop()
		<-served
	}
}

// Of what was sent before, and has no answer, those that are too large by now are taken
// out, and the others move up.
func TestTooLargeToBeSentAgain(t *testing.T) {
	l := newLink(Options{InFlight: 9, ExactlyOnce: true})
	all := func(Message) error { return nil }
	end := func(error) {}
	generation, _, err := l.begin(deadEnd{1}, end, 1, all)
	if err != nil {
		t.Fatal(err)
	}
	l.register(generation, []call{callOf(1), callOf(2), callOf(3), callOf(4), callOf(5)})
	l.broken(errStale)
	generation, tooLarge, err := l.begin(deadEnd{2}, end, 2, func(m Message) error { // the first one was handled
		if n := numberOf(call{Message: m}); n == 1 || n == 3 {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil || len(tooLarge) != 1 || numberOf(tooLarge[0]) != 3 {
		t.Fatal(tooLarge, err)
	}
	first, _, calls := l.resend(generation, deadEnd{2}, func(calls []call) int { return len(calls) })
	if first != 2 || len(calls) != 3 || numberOf(calls[1]) != 4 {
		t.Errorf("sent again from %d: %v", first, calls)
	}
}

// What has no answer stays within what may be in flight, however often it is sent again.
func TestInFlightIsBounded(t *testing.T) {
	l := newLink(Options{InFlight: 4, PerPacket: 1, ExactlyOnce: true})
	next := uint64(1)
	for range 20 {
		generation, _, err := l.begin(deadEnd{1}, func(error) {}, next, func(Message) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		for !l.full() { // as await would let the messenger go on
			l.register(generation, []call{callOf(next)})
			next++ // the other side has it, and its answer does not come
		}
		l.broken(errStale)
	}
	if n := l.pending.len(); n != 4 {
		t.Errorf("%d without an answer", n)
	}
}

// A message whose context ended while the messenger had it, and no link to send it on,
// is not sent.
func TestContextEndsBeforeTheLink(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := listener.Addr().String()
	listener.Close()
	p, err := New(endpoint, Options{Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	told := events(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	if err := p.Send(ctx, ping()); err != nil {
		t.Fatal(err)
	}
	for p.outbox.Len() > 0 { // until the messenger has it
		time.Sleep(time.Millisecond)
	}
	cancel()
	if listener, err = net.Listen("tcp", endpoint); err != nil {
		t.Fatal(err)
	}
	var handled atomic.Int64
	serving, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- Serve(serving, listener, func(context.Context, string, Message) ([]byte, error) { handled.Add(1); return nil, nil }, ServiceOptions{})
	}()
	if _, err := p.Request(t.Context(), ping()); err != nil {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if all := told(); handled.Load() != 1 || len(all) != 1 || !errors.Is(all[0].Err, context.Canceled) {
		t.Errorf("%d handled, told %v", handled.Load(), all)
	}
	stop()
	<-served
}

// Answers that wait for somebody to read events are answers: the link is not given up.
func TestSlowReaderLosesNothing(t *testing.T) {
	p := dial(t, listen(t, echo, ServiceOptions{}), Options{Mailbox: 4, Stalled: 40 * time.Millisecond})
	n, lost := 0, 0
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.Events(context.Background(), func(run []Event) error {
			if n == 0 {
				time.Sleep(400 * time.Millisecond)
			}
			for _, e := range run {
				if e.Outcome == Lost && !strings.Contains(e.Err.Error(), "no answer came") {
					t.Error(e.Err)
				}
				if e.Outcome == Lost {
					lost++
				}
			}
			n += len(run)
			return nil
		})
	}()
	for range 400 {
		if err := p.Send(t.Context(), ping()); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if <-read; n != 400 || lost > 0 || p.Counts().Reconnects > 0 {
		t.Errorf("%d events, %d lost, %+v", n, lost, p.Counts())
	}
}

// A peer that settles nothing gets no more handled than answers are kept.
func TestAnswersThatNobodySettles(t *testing.T) {
	var handled atomic.Int64
	endpoint := listen(t, func(context.Context, string, Message) ([]byte, error) {
		handled.Add(1)
		return make([]byte, 1<<20), nil
	}, ServiceOptions{})
	next := uint64(1)
	for connection := range 3 {
		s := bare(t, endpoint)
		hello := helloOf("0123456789abcdef", connection > 0, 1)
		hello.Hello.Largest = 1 << 20
		if _, err := exchange(t, s, hello); err != nil {
			t.Fatal(err)
		}
		for range next - 1 {
			if _, err := s.Recv(); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		for err == nil && next < 100 {
			if err = s.Send(&remotepb.Packet{First: next, Frames: appendFrame(nil, 1, nil)}); err == nil {
				if _, err = s.Recv(); err == nil {
					next++
				}
			}
		}
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("connection %d ended at message %d: %v", connection, next, err)
		}
	}
	if n := handled.Load(); n != mostUnsettled>>20 && n != mostUnsettled>>20+1 {
		t.Errorf("%d MiB of answers were made", n)
	}
}

// A message that waited at a receiver, whose successor takes less, was not handled, and is
// told so.
func TestWaitedWhereLessIsTaken(t *testing.T) {
	inbox := commitlog.OpenMemory(commitlog.MemoryOptions{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := listener.Addr().String()
	serve := func(listener net.Listener, handler Handler, largest int) (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- Serve(ctx, listener, handler, ServiceOptions{Largest: largest, Inbox: inbox}) }()
		return func() { cancel(); <-served }
	}
	inHand, goOn := make(chan struct{}), make(chan struct{})
	stop := serve(listener, func(ctx context.Context, from string, m Message) ([]byte, error) {
		close(inHand) // of the first one alone
		<-goOn
		return nil, nil
	}, 10_000)
	p := dial(t, endpoint, Options{ExactlyOnce: true, PerPacket: 1, Backoff: time.Millisecond})
	told := events(t, p)
	for _, n := range []int{10, 5000} {
		if err := p.Send(t.Context(), Message{Payload: make([]byte, n)}); err != nil {
			t.Fatal(err)
		}
	}
	<-inHand
	until := func(is func(*link) bool) {
		for done := false; !done; time.Sleep(time.Millisecond) {
			p.link.count(func(*Counts) { done = is(p.link) })
		}
	}
	until(func(l *link) bool { return l.sent == 3 }) // the second one is on its way
	ended := make(chan struct{})
	go func() { stop(); close(ended) }()
	until(func(l *link) bool { return !l.begun })
	close(goOn)
	<-ended
	if listener, err = net.Listen("tcp", endpoint); err != nil {
		t.Fatal(err)
	}
	defer serve(listener, echo, 300)()
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	lost := 0
	for _, e := range told() {
		var why *LostError
		if errors.As(e.Err, &why) {
			lost++
			if why.Sent || len(e.Message.Payload) != 5000 || !strings.Contains(e.Err.Error(), "5000 bytes, at most 300") {
				t.Errorf("%d bytes: %v", len(e.Message.Payload), e.Err)
			}
		}
	}
	if lost != 1 {
		t.Errorf("%d are lost", lost)
	}
}
