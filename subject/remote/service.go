package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/internal/connections"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// Handler handles one message, and returns the answer, which is copied before it is
// called again. The messages of a peer come one at a time, in the order in which they
// were sent; those of several come at once, except with an inbox. With an inbox a handler
// must not wait for an answer of its own service, nor of one that waits for this one: it
// would be the next to be handled. from is how the peer
// calls itself, which anybody can claim. The payload is the handler's until it returns: it
// may change it, and must not keep it. ctx ends with the stream, but not for a peer that
// sends exactly once, nor with an inbox: such a message is handled once and for all. A
// panic ends the process, if no interceptor of yours recovers it: then the message counts
// as not handled, and comes again from a peer that sends exactly once.
type Handler func(ctx context.Context, from string, m Message) (answer []byte, err error)

// ServiceOptions are the settings of a receiver; the zero value is useful.
type ServiceOptions struct {
	// Largest is the most bytes that a message or an answer may have; 0 means 1 MiB.
	Largest int
	// Sessions is how many peers that send exactly once are remembered, each with some 16
	// MiB of answers that it has not said to have: where they are more, its stream ends
	// and it goes on on another one, so where answers are large, let fewer messages travel
	// together. 0 means 1024. Of those that are not connected one of which nothing was
	// handled is forgotten, else the one that has left first; where all are connected, no
	// more are let in.
	Sessions int
	// Inbox, if set, keeps all messages, and a receiver that starts anew handles them
	// again before others: what a handler keeps in memory is then as it was, if it depends
	// on the messages alone, and peers that send exactly once go on where they were.
	// Nothing else may append to it or truncate it; whoever has opened it closes it when
	// the service has ended. When an append fails, the service takes no further message:
	// Serve returns, and [Service.Failed] tells.
	Inbox commitlog.Log
	// TLS is how connections are secured; nil does not secure them. For a gRPC server of
	// yours it is among the settings of [Service.Serving].
	TLS *tls.Config
}

const (
	defaultSessions = 1024
	mostInInbox     = commitlog.MaxValueSize / 2
)

func (o ServiceOptions) check() (ServiceOptions, error) {
	switch {
	case o.Largest < 0 || o.Sessions < 0:
		return o, errNegative
	case o.Largest > MostLargest:
		return o, fmt.Errorf("messages of %d bytes: at most %d", o.Largest, MostLargest)
	case o.Inbox != nil && o.Largest > mostInInbox:
		return o, fmt.Errorf("messages of %d bytes: at most %d with an inbox", o.Largest, mostInInbox)
	}
	if o.Largest == 0 {
		o.Largest = defaultLargest
	}
	if o.Sessions == 0 {
		o.Sessions = defaultSessions
	}
	return o, nil
}

// Service receives messages, as a part of a gRPC server of yours; [Serve] has one of
// its own. End yours by Stop: peers stay until then, and GracefulStop waits for them. Stop
// returns when the messages in hand were handled; from then on nothing is.
type Service struct {
	remotepb.UnimplementedRemoteServer
	options  ServiceOptions
	receiver *receiver
}

// NewService returns a service. It reads the inbox, and hands what is in it to the
// handler, with ctx: if that ends meanwhile, there is no service.
func NewService(ctx context.Context, handler Handler, options ServiceOptions) (*Service, error) {
	options, err := options.check()
	if err != nil {
		return nil, fmt.Errorf("service: %w", err)
	}
	s := &Service{options: options, receiver: newReceiver(handler, options)}
	if err := s.receiver.replay(ctx); err != nil {
		return nil, fmt.Errorf("service: %w", err)
	}
	return s, nil
}

// Connect implements the gRPC service.
func (s *Service) Connect(stream grpc.BidiStreamingServer[remotepb.Packet, remotepb.Packet]) error {
	packet, err := stream.Recv()
	if err != nil {
		return err
	}
	hello := packet.GetHello()
	if err := checkHello(hello); err != nil {
		return status.Error(codes.FailedPrecondition, err.Error())
	}
	turn, next, missed, err := s.receiver.welcome(stream.Context(), hello)
	if err != nil {
		return statusOf(err)
	}
	if next > 0 {
		defer s.receiver.lines.leave(turn.line)
	}
	if err := stream.Send(&remotepb.Packet{Hello: &remotepb.Hello{Version: version, Next: next, Largest: uint64(s.options.Largest)}}); err != nil || next == 0 {
		return err
	}
	for _, a := range missed {
		if err := sendAnswers(stream, a); err != nil {
			return err
		}
	}
	for {
		packet, err := stream.Recv()
		if err != nil {
			return err
		}
		if err := s.exchange(stream, turn, packet); err != nil {
			return err
		}
	}
}

// exchange handles the messages of a packet and sends their answers, as many of them in a
// packet as fit: no further message is handled before those are on their way.
func (s *Service) exchange(stream grpc.BidiStreamingServer[remotepb.Packet, remotepb.Packet], turn turn, packet *remotepb.Packet) error {
	if err := checkFrames(packet.Frames, s.options.Largest); err != nil {
		return statusOf(err)
	}
	for len(packet.Frames) > 0 {
		var a answers
		var err error
		if a, packet, err = s.receiver.take(stream.Context(), turn, packet); err != nil {
			return statusOf(err)
		}
		if err := sendAnswers(stream, a); err != nil {
			return err
		}
	}
	return nil
}

func sendAnswers(stream stream, a answers) error {
	return stream.Send(&remotepb.Packet{First: a.first, Frames: a.frames})
}

// checkHello says why a stream cannot begin with it.
func checkHello(hello *remotepb.Hello) error {
	switch {
	case hello.GetVersion() != version:
		return fmt.Errorf("version %d of the protocol: this is version %d", hello.GetVersion(), version)
	case len(hello.Session) != sessionSize:
		return fmt.Errorf("a session of %d bytes: %d", len(hello.Session), sessionSize)
	case len(hello.Name) > mostName:
		return fmt.Errorf("a name of %d bytes: at most %d", len(hello.Name), mostName)
	case hello.Began == 0 || hello.Next < hello.Began || hello.Next > math.MaxInt64:
		return fmt.Errorf("message %d of a session that began with %d", hello.Next, hello.Began)
	}
	return nil
}

// statusOf is an error as the other side is told.
func statusOf(err error) error {
	code := codes.InvalidArgument
	switch {
	case errors.Is(err, errTakenOver):
		code = codes.Aborted
	case errors.Is(err, errSessions), errors.Is(err, errUnsettled):
		code = codes.ResourceExhausted
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		code = codes.Canceled
	case errors.Is(err, errInbox):
		code = codes.Unavailable
	}
	return status.Error(code, err.Error())
}

// stopping is how long a connection has that has just been opened.
const stopping = 100 * time.Millisecond

// Serve receives messages on a listener until ctx ends, and returns its error then, or
// why it cannot. Messages in hand when ctx ends are handled; their answers may not
// arrive. It closes the listener.
func Serve(ctx context.Context, listener net.Listener, handler Handler, options ServiceOptions) error {
	defer listener.Close()
	service, err := NewService(ctx, handler, options)
	if err != nil {
		return err
	}
	server := grpc.NewServer(service.Serving()...)
	remotepb.RegisterRemoteServer(server, service)
	served := make(chan error, 1)
	open := &connections.Listener{Listener: listener}
	go func() { served <- server.Serve(open) }()
	select {
	case err = <-served:
	case <-service.Failed():
		err = service.Err()
	case <-ctx.Done():
		err = ctx.Err()
	}
	late := time.AfterFunc(stopping, open.HangUp) // gRPC waits for those that have said nothing
	defer late.Stop()
	server.Stop()
	return fmt.Errorf("serve %v: %w", listener.Addr(), err)
}

// Failed is closed when the inbox has failed: from then on the service refuses every peer.
// Stop the server then, and begin anew; [Service.Err] says why.
func (s *Service) Failed() <-chan struct{} { return s.receiver.inbox.failed }

// Err is why the inbox has failed; nil if it has not.
func (s *Service) Err() error {
	return s.receiver.inbox.refuses()
}

// Serving are the settings that a gRPC server needs to have for a service. With
// [ServiceOptions.TLS] they hold its credentials, which are those of the whole server: of
// two that are set the last ones count. Without it they hold none, and the server is in
// the clear unless you add some. Stop of such a server waits for handlers, so that one that
// stops it waits for itself; and up to ten seconds for connections that have said nothing yet.
func (s *Service) Serving() []grpc.ServerOption {
	serving := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(mostPacket(s.options.Largest)),
		grpc.InitialWindowSize(streamWindow),
		grpc.InitialConnWindowSize(streamWindow),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: silence, Timeout: silence}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: silence / 2, PermitWithoutStream: true}),
		grpc.ConnectionTimeout(10 * time.Second),
		grpc.WaitForHandlers(true), // else one goes on behind Stop, and writes to an inbox that the next service has
	}
	if s.options.TLS != nil {
		serving = append(serving, grpc.Creds(credentials.NewTLS(s.options.TLS)))
	}
	return serving
}
