package identityrpc

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

func (n *network) connect(t testing.TB, host string) *grpc.ClientConn {
	conn, err := grpc.NewClient("passthrough:///"+host, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(n.dialer("client")))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// A server ends although streams are open and nobody closes them.
func TestServerEndsBesideStreams(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{Number: 1, Of: 2})
	conn := n.connect(t, "one:1")
	defer conn.Close()
	stream, err := identitypb.NewIdentityClient(conn).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&identitypb.NextRequest{}); err != nil {
		t.Fatal(err)
	}
	if reply, err := stream.Recv(); err != nil || reply.First != 1 || reply.Step != 2 {
		t.Fatalf("%v, %v", reply, err)
	}
	watch, err := grpc_health_v1.NewHealthClient(conn).Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { r.end(t); close(ended) }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}

// What a stream asks for in vain ends it, with the reason.
func TestStreamEndsWithTheReason(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
	conn := n.connect(t, "one:1")
	stream, err := identitypb.NewIdentityClient(conn).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	none := uint64(0)
	if err := stream.Send(&identitypb.NextRequest{Count: &none}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
	conn.Close()
	r.end(t)
}

// Health follows whether identities are handed out.
func TestHealth(t *testing.T) {
	n := newNetwork()
	first := n.start(t, t.TempDir(), "first:1", identity.Replica{Number: 1, Of: 2})
	conn := n.connect(t, "first:1")
	is := func() grpc_health_v1.HealthCheckResponse_ServingStatus {
		answer, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: identitypb.Identity_ServiceDesc.ServiceName})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Status
	}
	if got := is(); got != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("it is %v", got)
	}
	second := n.start(t, t.TempDir(), "second:1", identity.Replica{Number: 1, Of: 2}, "first:1")
	within(t, "not serving", func() bool { return is() == grpc_health_v1.HealthCheckResponse_NOT_SERVING })
	conn.Close()
	first.end(t)
	second.end(t)
}

func TestReflection(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
	conn := n.connect(t, "one:1")
	stream, err := grpc_reflection_v1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stream.Send(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{}})
	answer, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if text := answer.String(); !strings.Contains(text, "syncwrite.identity.v1.Identity") {
		t.Error(text)
	}
	conn.Close()
	r.end(t)
}

// A call whose deadline is over gets nothing.
func TestDeadlines(t *testing.T) {
	service := NewService(identity.NewSimple(identity.Options[*identitypb.Identities]{Reply: Replies(1)}), 0)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if reply, err := service.Next(ctx, &identitypb.NextRequest{}); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("%v, %v", reply, err)
	}
	if reply, err := service.Next(t.Context(), &identitypb.NextRequest{}); err != nil || reply.First != 1 {
		t.Errorf("%v, %v", reply, err)
	}
}

func TestMetrics(t *testing.T) {
	ids, err := Open(t.TempDir(), keptAt(identity.Replica{Number: 2, Of: 2}, 0))
	if err != nil {
		t.Fatal(err)
	}
	n := newNetwork()
	ctx, stop := context.WithCancel(t.Context())
	metrics, ended, listener := NewMetrics(), make(chan error, 1), n.listen("one:1")
	go func() {
		ended <- Serve(ctx, listener, ids, ServeOptions{Metrics: metrics, Peers: []string{"nobody:1"}, Dialer: n.dialer("one:1")})
	}()
	c := n.client(t, "one:1")
	if _, err := c.NextN(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	c.NextN(t.Context(), 0)
	closeClient(t, c)
	conn := n.connect(t, "one:1")
	defer conn.Close()
	askThenInVain(t, conn, 3)
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	if problems, err := testutil.GatherAndLint(registry); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	err = testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP identity_handed_out_total Identities handed out since the server began.
# TYPE identity_handed_out_total counter
identity_handed_out_total 13
# HELP identity_last The highest identity handed out, or raised to.
# TYPE identity_last gauge
identity_last 26
# HELP identity_peer_reachable 1 if the peer has answered last.
# TYPE identity_peer_reachable gauge
identity_peer_reachable{peer="nobody:1"} 0
# HELP identity_requests_total Requests that have ended, by method and status; each one on a Stream counts.
# TYPE identity_requests_total counter
identity_requests_total{method="/syncwrite.identity.v1.Identity/Next",status="InvalidArgument"} 1
identity_requests_total{method="/syncwrite.identity.v1.Identity/Next",status="OK"} 1
identity_requests_total{method="/syncwrite.identity.v1.Identity/Stream",status="InvalidArgument"} 1
identity_requests_total{method="/syncwrite.identity.v1.Identity/Stream",status="OK"} 3
# HELP identity_stopped 1 if nothing is handed out any more: another server has the same numbers, or this one is ending.
# TYPE identity_stopped gauge
identity_stopped 0
`), "identity_handed_out_total", "identity_last", "identity_peer_reachable", "identity_requests_total", "identity_stopped")
	if err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
}

// askThenInVain has two streams: one is closed when so many requests were answered, the other
// one is ended by a request for none.
func askThenInVain(t testing.TB, conn *grpc.ClientConn, times int) {
	for _, asked := range []uint64{1, 0} {
		stream, err := identitypb.NewIdentityClient(conn).Stream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			if err := stream.Send(&identitypb.NextRequest{Count: &asked}); err != nil {
				break // it has ended
			}
			if _, err := stream.Recv(); (err == nil) != (asked == 1) {
				t.Error(err)
			}
		}
		stream.CloseSend()
		stream.Recv()
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	ids, err := Open(t.TempDir(), keptAt(identity.Replica{}, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []ServeOptions{{Peers: []string{"other:1"}}, {Interval: time.Nanosecond}, {Interval: 2 * time.Hour}} {
		if err := Serve(t.Context(), newNetwork().listen("one:1"), ids, o); err == nil {
			t.Errorf("served with %+v", o)
		}
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	twice := ServeOptions{Peers: []string{"other:1", "other:1"}}
	if err := twice.Check(identity.Replica{Number: 1, Of: 3}); err == nil {
		t.Error("a peer can be there twice")
	}
}

// A connection that never says anything does not hold up the end, and nothing is handed out
// while the server ends.
func TestServerEndsBesideSilence(t *testing.T) {
	n := newNetwork()
	r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
	silent, err := n.dialer("client")(t.Context(), "one:1")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	conn := n.connect(t, "one:1")
	defer conn.Close()
	stream, err := identitypb.NewIdentityClient(conn).Stream(t.Context())
	if err == nil {
		err = stream.Send(&identitypb.NextRequest{})
	}
	if err == nil {
		_, err = stream.Recv()
	}
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r.stop()
	within(t, "no more identities", func() bool {
		if err := stream.Send(&identitypb.NextRequest{}); err != nil {
			return true
		}
		_, err := stream.Recv()
		return err != nil
	})
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 8*time.Second { // gRPC waits for 10 s
		t.Errorf("it ended after %v", took)
	}
}
