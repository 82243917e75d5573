package remote

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// bare opens a stream without a peer.
func bare(t *testing.T, endpoint string) stream {
	conn, err := grpc.NewClient("passthrough:///"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s, err := remotepb.NewRemoteClient(conn).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exchange sends a packet and returns the answer, or how the stream ended.
func exchange(t *testing.T, s stream, packet *remotepb.Packet) (*remotepb.Packet, error) {
	if err := s.Send(packet); err != nil {
		t.Fatal(err)
	}
	return s.Recv()
}

func helloOf(session string, resumed bool, next uint64) *remotepb.Packet {
	return &remotepb.Packet{Hello: &remotepb.Hello{Version: version, Session: []byte(session), Once: true, Began: 1, Resumed: resumed, Next: next, Largest: 100}}
}

func packetFrom(first uint64) *remotepb.Packet {
	return &remotepb.Packet{First: first, Frames: appendFrame(nil, 1, []byte("hi"))}
}

// Of two streams of a session the receiver serves the one that came last: it has all
// answers that the other one may have missed, and the other one gets nothing handled.
func TestSessionIsTakenOver(t *testing.T) {
	handled := new(atomic.Int64)
	endpoint := listen(t, func(context.Context, string, Message) ([]byte, error) {
		handled.Add(1)
		return []byte{byte(handled.Load())}, nil
	}, ServiceOptions{})
	const session = "0123456789abcdef"
	old := bare(t, endpoint)
	if welcome, err := exchange(t, old, helloOf(session, false, 1)); err != nil || welcome.GetHello().GetNext() != 1 {
		t.Fatal(welcome, err)
	}
	if answer, err := exchange(t, old, packetFrom(1)); err != nil || answer.First != 1 {
		t.Fatal(answer, err)
	}
	late := bare(t, endpoint)
	if welcome, err := exchange(t, late, helloOf(session, true, 1)); err != nil || welcome.GetHello().GetNext() != 2 {
		t.Fatal(welcome, err)
	}
	if answer, err := late.Recv(); err != nil || answer.First != 1 || string(answer.Frames) != string(appendFrame(nil, 0, []byte{1})) {
		t.Fatalf("the answer that may be missing is %v, %v", answer, err)
	}
	if answer, err := exchange(t, old, packetFrom(2)); status.Code(err) != codes.Aborted {
		t.Errorf("the old stream got %v, %v", answer, err)
	}
	if answer, err := exchange(t, late, packetFrom(2)); err != nil || answer.First != 2 {
		t.Error(answer, err)
	}
	// What was handled is not handled again.
	if answer, err := exchange(t, late, packetFrom(2)); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a message that was handled got %v, %v", answer, err)
	}
	if n := handled.Load(); n != 2 {
		t.Errorf("%d messages handled", n)
	}
}

// The receiver remembers so many sessions, those that are connected and the ones that
// left last.
func TestSessionsAreBounded(t *testing.T) {
	endpoint := listen(t, echo, ServiceOptions{Sessions: 2})
	name := func(i int) string { return strings.Repeat(string(rune('a'+i)), sessionSize) }
	gone := func(s stream) { // the receiver has noticed when it ends the stream
		s.(grpc.ClientStream).CloseSend()
		for {
			if _, err := s.Recv(); err != nil {
				return
			}
		}
	}
	first, second := bare(t, endpoint), bare(t, endpoint)
	for i, s := range []stream{first, second} {
		if _, err := exchange(t, s, helloOf(name(i), false, 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := exchange(t, s, packetFrom(1)); err != nil {
			t.Fatal(err)
		}
	}
	// Those that are connected are not forgotten, whoever comes.
	if _, err := exchange(t, bare(t, endpoint), helloOf(name(2), false, 1)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a third session: %v", err)
	}
	gone(second)
	gone(first)
	third := bare(t, endpoint)
	if _, err := exchange(t, third, helloOf(name(2), false, 1)); err != nil {
		t.Error(err)
	}
	for i, want := range []uint64{2, 0} { // the second one has left first
		s := bare(t, endpoint)
		if welcome, err := exchange(t, s, helloOf(name(i), true, 1)); err != nil || welcome.Hello.Next != want {
			t.Errorf("session %d goes on at %v, %v", i, welcome, err)
		}
	}
}

// A fullLog takes some entries and no more.
type fullLog struct {
	commitlog.Log
	room int
}

var errFull = errors.New("no room")

func (l *fullLog) Append(value []byte) (uint64, error) {
	if l.room--; l.room < 0 {
		return 0, errFull
	}
	return l.Log.Append(value)
}

// A receiver whose inbox fails answers nothing that is not in it, and ends.
func TestInboxFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() {
		served <- Serve(t.Context(), listener, echo, ServiceOptions{Inbox: &fullLog{Log: commitlog.OpenMemory(commitlog.MemoryOptions{}), room: 3}})
	}()
	p := dial(t, listener.Addr().String(), Options{ExactlyOnce: true})
	for i := range 2 {
		if _, err := p.Request(t.Context(), ping()); err != nil {
			t.Fatal(i, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := p.Request(ctx, ping())
		answered <- err
	}()
	if err := <-served; !errors.Is(err, errFull) {
		t.Error(err)
	}
	cancel()
	if err := <-answered; err == nil {
		t.Error("answered without being kept")
	}
	p.Close(ctx)
}
