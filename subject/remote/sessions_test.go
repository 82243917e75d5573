package remote

import (
	"context"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

const someone = "0123456789abcdef"

// begun is a greeting of a session that began with a number, and goes on with another.
func begun(session string, began, next uint64, resumed bool) *remotepb.Packet {
	hello := helloOf(session, resumed, next)
	hello.Hello.Began = began
	return hello
}

// What a session was it is at a receiver that begins anew on its inbox, whatever happened
// to it: welcomed and nothing sent, begun anew, begun anew as it was, forgotten.
func TestSessionsOutliveTheReceiver(t *testing.T) {
	type step struct {
		hello *remotepb.Packet
		next  uint64 // welcomed to; 0: not known
		sends bool
	}
	for name, steps := range map[string][]step{
		"welcomed":          {{begun(someone, 1, 1, false), 1, false}, {nil, 0, false}, {begun(someone, 1, 1, true), 1, true}},
		"went on":           {{begun(someone, 1, 1, false), 1, true}, {nil, 0, false}, {begun(someone, 1, 2, true), 2, true}},
		"begun anew":        {{begun(someone, 1, 1, false), 1, true}, {begun(someone, 7, 7, false), 7, false}, {nil, 0, false}, {begun(someone, 7, 7, true), 7, true}},
		"begun as it was":   {{begun(someone, 1, 1, false), 1, true}, {begun(someone, 7, 7, false), 7, false}, {begun(someone, 1, 1, false), 1, true}, {nil, 0, false}, {begun(someone, 1, 2, true), 2, true}},
		"forgotten":         {{begun(someone, 1, 1, false), 1, true}, {begun("another one here", 1, 1, false), 1, true}, {nil, 0, false}, {begun(someone, 1, 2, true), 0, false}},
		"forgotten and new": {{begun(someone, 1, 1, false), 1, true}, {begun("another one here", 1, 1, false), 1, true}, {begun(someone, 2, 2, false), 2, true}, {nil, 0, false}, {begun(someone, 2, 3, true), 3, true}},
	} {
		t.Run(name, func(t *testing.T) {
			options := ServiceOptions{Sessions: 1, Inbox: commitlog.OpenMemory(commitlog.MemoryOptions{})}
			endpoint, stop := listenUntil(t, echo, options)
			for i, step := range steps {
				if step.hello == nil {
					stop()
					endpoint, stop = listenUntil(t, echo, options)
					continue
				}
				s := bare(t, endpoint)
				welcome, err := exchange(t, s, step.hello)
				if err != nil || welcome.Hello.Next != step.next {
					t.Fatalf("step %d: %v, %v", i, welcome, err)
				}
				if step.sends {
					for answer := new(remotepb.Packet); answer.First != step.next; { // those that were missed come first
						if answer, err = exchangeOnce(s, packetFrom(step.next), answer); err != nil {
							t.Fatalf("step %d: %v", i, err)
						}
					}
				}
				leave(s)
			}
		})
	}
}

// exchangeOnce sends a packet with the first call, and receives.
func exchangeOnce(s stream, packet, last *remotepb.Packet) (*remotepb.Packet, error) {
	if last.First == 0 {
		if err := s.Send(packet); err != nil {
			return nil, err
		}
	}
	return s.Recv()
}

// leave ends a stream, and waits until the receiver has.
func leave(s stream) {
	s.(grpc.ClientStream).CloseSend()
	for {
		if _, err := s.Recv(); err != nil {
			return
		}
	}
}

// One that is connected and sends seldom is not forgotten by those who come and go, nor by
// a receiver that begins anew.
func TestConnectedSessionIsRemembered(t *testing.T) {
	options := ServiceOptions{Sessions: 2, Inbox: commitlog.OpenMemory(commitlog.MemoryOptions{})}
	endpoint, stop := listenUntil(t, echo, options)
	seldom := bare(t, endpoint)
	if _, err := exchange(t, seldom, begun(someone, 1, 1, false)); err != nil {
		t.Fatal(err)
	}
	if _, err := exchange(t, seldom, packetFrom(1)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"} {
		s := bare(t, endpoint)
		if _, err := exchange(t, s, begun(id, 1, 1, false)); err != nil {
			t.Fatal(err)
		}
		if _, err := exchange(t, s, packetFrom(1)); err != nil {
			t.Fatal(err)
		}
		leave(s)
	}
	stop()
	endpoint, _ = listenUntil(t, echo, options)
	if welcome, err := exchange(t, bare(t, endpoint), begun(someone, 1, 2, true)); err != nil || welcome.Hello.Next != 2 {
		t.Errorf("it goes on at %v, %v", welcome, err)
	}
}

// A peer whose greetings arrive, and whose welcomes do not, comes again in ever new sessions:
// they push out none in which something was handled.
func TestUnusedSessionsPushOutNobody(t *testing.T) {
	endpoint := listen(t, echo, ServiceOptions{Sessions: 2})
	s := bare(t, endpoint)
	if _, err := exchange(t, s, begun(someone, 1, 1, false)); err != nil {
		t.Fatal(err)
	}
	if _, err := exchange(t, s, packetFrom(1)); err != nil {
		t.Fatal(err)
	}
	leave(s)
	for _, id := range []string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"} {
		s := bare(t, endpoint)
		if _, err := exchange(t, s, begun(id, 1, 1, false)); err != nil {
			t.Fatal(err)
		}
		leave(s)
	}
	if welcome, err := exchange(t, bare(t, endpoint), begun(someone, 1, 2, true)); err != nil || welcome.Hello.Next != 2 {
		t.Errorf("it goes on at %v, %v", welcome, err)
	}
}

// A handler that panics, and is recovered, has handled the messages before.
func TestPanicLosesNothing(t *testing.T) {
	inbox := commitlog.OpenMemory(commitlog.MemoryOptions{})
	var mu sync.Mutex
	var returned []string
	panicked := false
	service, err := NewService(t.Context(), func(_ context.Context, _ string, m Message) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if string(m.Payload) == "4" && !panicked {
			panicked = true
			panic("as it was to")
		}
		returned = append(returned, string(m.Payload))
		return nil, nil
	}, ServiceOptions{Inbox: inbox})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := serveIn(t, service, grpc.StreamInterceptor(func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = status.Error(codes.Internal, "recovered")
			}
		}()
		return handler(srv, s)
	}))
	p := dial(t, endpoint, Options{ExactlyOnce: true, Backoff: time.Millisecond})
	all := []string{"0", "1", "2", "3", "4", "5", "6"}
	told := events(t, p)
	for _, n := range all {
		if err := p.Send(t.Context(), Message{Payload: []byte(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(t.Context()); err != nil || len(told()) != len(all) {
		t.Error(err)
	}
	if !slices.Equal(returned, all) {
		t.Errorf("handled %v", returned)
	}
	var again []string
	if _, err := NewService(t.Context(), func(_ context.Context, _ string, m Message) ([]byte, error) {
		again = append(again, string(m.Payload))
		return nil, nil
	}, ServiceOptions{Inbox: inbox}); err != nil || !slices.Equal(again, all) {
		t.Errorf("handled again %v, %v", again, err)
	}
}

func TestSettingsWithoutMeaning(t *testing.T) {
	const most = int(^uint(0) >> 1)
	for _, options := range []Options{{InFlight: most}, {PerPacket: most}, {Mailbox: most}, {Largest: most}, {Backoff: 1 << 62}, {Stalled: 1 << 62}, {InFlight: -1}, {Self: "caf\xe9"}} {
		if p, err := New("127.0.0.1:1", options); err == nil {
			t.Errorf("%+v was taken", options)
			p.Close(t.Context())
		}
	}
}

// Behind Stop of a gRPC server of one's own nothing is handled: the next service may have
// the inbox by then.
func TestNothingIsHandledBehindStop(t *testing.T) {
	begun, goOn := make(chan struct{}, 9), make(chan struct{})
	var handled atomic.Int64
	s, err := NewService(t.Context(), func(context.Context, string, Message) ([]byte, error) {
		begun <- struct{}{}
		<-goOn
		handled.Add(1)
		return nil, nil
	}, ServiceOptions{Inbox: commitlog.OpenMemory(commitlog.MemoryOptions{})})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(s.Serving()...)
	remotepb.RegisterRemoteServer(server, s)
	stopped := make(chan int64, 1)
	go server.Serve(listener)
	p := dial(t, listener.Addr().String(), Options{ExactlyOnce: true})
	for range 3 {
		if err := p.Send(t.Context(), messageOf(1)); err != nil {
			t.Fatal(err)
		}
	}
	<-begun
	go func() { server.Stop(); stopped <- handled.Load() }()
	select {
	case n := <-stopped:
		stopped <- n
	case <-time.After(50 * time.Millisecond): // it waits, or is slow
	}
	close(goOn)
	if n := <-stopped; n == 0 || n != handled.Load() {
		t.Errorf("%d were handled when Stop returned, %d are now", n, handled.Load())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.Close(ended)
}

// At a receiver that begins anew a session on which nothing was handled is forgotten before
// one that has handled messages, whichever was heard of last.
func TestUnusedSessionGoesFirstBehindARestart(t *testing.T) {
	options := ServiceOptions{Sessions: 2, Inbox: commitlog.OpenMemory(commitlog.MemoryOptions{})}
	endpoint, stop := listenUntil(t, echo, options)
	welcomed := func(hello *remotepb.Packet, sends bool) uint64 {
		s := bare(t, endpoint)
		defer leave(s)
		welcome, err := exchange(t, s, hello)
		if err != nil {
			t.Fatal(err)
		}
		if sends {
			if _, err := exchangeOnce(s, packetFrom(1), new(remotepb.Packet)); err != nil {
				t.Fatal(err)
			}
		}
		return welcome.Hello.Next
	}
	welcomed(begun(someone, 1, 1, false), true)
	welcomed(begun("one without mail", 1, 1, false), false)
	stop()
	endpoint, _ = listenUntil(t, echo, options)
	welcomed(begun("another one here", 1, 1, false), true)
	if next := welcomed(begun(someone, 1, 2, true), false); next != 2 {
		t.Errorf("welcomed to %d: it was forgotten", next)
	}
}
