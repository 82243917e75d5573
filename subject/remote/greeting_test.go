package remote

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/internal/pipes"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A refusing service takes greetings and welcomes nobody.
type refusing struct {
	remotepb.UnimplementedRemoteServer
	sessions chan string
}

func (r refusing) Connect(stream grpc.BidiStreamingServer[remotepb.Packet, remotepb.Packet]) error {
	packet, err := stream.Recv()
	if err != nil {
		return err
	}
	r.sessions <- string(packet.GetHello().GetSession())
	return status.Error(codes.Unavailable, "not now")
}

// A greeting that had no answer can arrive late: no later attempt has its session, which it
// would revive where the receiver has forgotten that.
func TestSessionThatWasNotWelcomed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener, server := pipes.Listen(), grpc.NewServer()
		service := refusing{sessions: make(chan string, 100)}
		remotepb.RegisterRemoteServer(server, service)
		go server.Serve(listener)
		p, err := New("room:1", Options{ExactlyOnce: true, Dialer: func(ctx context.Context, _ string) (net.Conn, error) { return listener.Dial(ctx) }})
		if err != nil {
			t.Fatal(err)
		}
		if first, second := <-service.sessions, <-service.sessions; first == second {
			t.Error("two attempts have one session")
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		server.Stop()
	})
}
