package remote

import (
	"context"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

func echo(_ context.Context, _ string, m Message) ([]byte, error) { return m.Payload, nil }

// listen serves a handler until the test ends.
func listen(t testing.TB, handler Handler, options ServiceOptions) string {
	endpoint, _ := listenUntil(t, handler, options)
	return endpoint
}

// listenUntil serves a handler until it is stopped, or the test ends.
func listenUntil(t testing.TB, handler Handler, options ServiceOptions) (endpoint string, stop func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		Serve(ctx, listener, handler, options)
		close(ended)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}

// serveIn serves in a gRPC server of one's own until the test ends.
func serveIn(t testing.TB, s *Service, more ...grpc.ServerOption) (endpoint string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(append(s.Serving(), more...)...)
	remotepb.RegisterRemoteServer(server, s)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() { server.Stop(); <-ended })
	return listener.Addr().String()
}

func dial(t testing.TB, endpoint string, options Options) *Peer {
	p, err := Dial(t.Context(), endpoint, options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var modes = []struct {
	name    string
	options Options
}{
	{"sync", Options{PerPacket: 1, InFlight: 1}},
	{"async", Options{PerPacket: 1, InFlight: 1024}},
	{"packed1", Options{InFlight: 1}},
	{"packed2", Options{InFlight: 2}},
	{"packed4", Options{InFlight: 4}},
	{"packed16", Options{InFlight: 16}},
	{"once1", Options{InFlight: 1, ExactlyOnce: true}},
	{"once4", Options{InFlight: 4, ExactlyOnce: true}},
}

func BenchmarkRequest64(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			p := dial(b, listen(b, echo, ServiceOptions{}), mode.options)
			var callers sync.WaitGroup
			b.ResetTimer()
			for range 64 {
				callers.Go(func() {
					payload := make([]byte, 16)
					for range b.N / 64 {
						if _, err := p.Request(context.Background(), Message{1, payload}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			callers.Wait()
			if err := p.Close(context.Background()); err != nil {
				b.Error(err)
			}
		})
	}
}

func BenchmarkSendOne(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			p := dial(b, listen(b, echo, ServiceOptions{}), mode.options)
			var reader sync.WaitGroup
			n := 0
			reader.Go(func() {
				p.Events(context.Background(), func(run []Event) error { n += len(run); return nil })
			})
			payload := make([]byte, 16)
			b.ResetTimer()
			for range b.N {
				if err := p.Send(context.Background(), Message{1, payload}); err != nil {
					b.Error(err)
				}
			}
			if err := p.Close(context.Background()); err != nil {
				b.Error(err)
			}
			reader.Wait()
			if n != b.N {
				b.Errorf("%d of %d", n, b.N)
			}
		})
	}
}
