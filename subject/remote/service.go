package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// Handler handles one message, and returns the answer, which is copied before it is
// called again. The messages of a peer come one at a time, in the order in which they
// were sent; those of several come at once, except with an inbox. from is how the peer
// calls itself, which anybody can claim. The payload is valid until it returns. ctx ends
// with the stream, but not for a peer that sends exactly once.
type Handler func(ctx context.Context, from string, m Message) (answer []byte, err error)

// ServiceOptions are the settings of a receiver; the zero value is useful.
type ServiceOptions struct {
	// Largest is the most bytes that a message or an answer may have; 0 means 1 MiB.
	Largest int
	// Sessions is how many peers that send exactly once are remembered; the one that was
	// silent longest is forgotten first. 0 means 1024.
	Sessions int
	// Inbox, if set, keeps all messages, and a receiver that starts anew handles them
	// again before others: what a handler keeps in memory is then as it was, and peers
	// that send exactly once go on where they were. Nothing else may append to it or
	// truncate it; whoever has opened it closes it when the service has ended.
	Inbox commitlog.Log
	// TLS is how connections are secured; nil does not secure them.
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
	case o.Largest > mostLargest:
		return o, fmt.Errorf("messages of %d bytes: at most %d", o.Largest, mostLargest)
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
// its own.
type Service struct {
	remotepb.UnimplementedRemoteServer
	options  ServiceOptions
	receiver *receiver
}

// NewService returns a service. It reads the inbox, and hands what is in it to the
// handler.
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
	if hello.GetVersion() != version || len(hello.Session) != 0 && len(hello.Session) != sessionSize || hello.Next == 0 {
		return status.Errorf(codes.FailedPrecondition, "version %d of the protocol, a session of %d bytes: this is version %d", hello.GetVersion(), len(hello.GetSession()), version)
	}
	turn, next, missed := s.receiver.welcome(hello)
	if err := stream.Send(&remotepb.Packet{Hello: &remotepb.Hello{Version: version, Next: next, Largest: uint64(s.options.Largest)}}); err != nil || next == 0 {
		return err
	}
	most := int(min(hello.Largest, uint64(s.options.Largest)))
	if err := sendAnswers(stream, missed); err != nil {
		return err
	}
	for {
		packet, err := stream.Recv()
		if err != nil {
			return err
		}
		answers, err := s.receiver.take(stream.Context(), turn, packet, most)
		if err != nil {
			return statusOf(err)
		}
		if err := sendAnswers(stream, answers); err != nil {
			return err
		}
	}
}

// statusOf is an error as the other side is told.
func statusOf(err error) error {
	code := codes.InvalidArgument
	switch {
	case errors.Is(err, errTakenOver):
		code = codes.Aborted
	case errors.Is(err, errInbox):
		code = codes.Unavailable
	}
	return status.Error(code, err.Error())
}

// sendAnswers sends answers, a packet each.
func sendAnswers(stream stream, all []answers) error {
	for _, a := range all {
		if err := stream.Send(&remotepb.Packet{First: a.first, Frames: a.frames}); err != nil {
			return err
		}
	}
	return nil
}

// Serve receives messages on a listener until ctx ends, and returns its error then, or
// why it cannot. Messages in hand when ctx ends are handled; their answers may not
// arrive. It closes the listener.
func Serve(ctx context.Context, listener net.Listener, handler Handler, options ServiceOptions) error {
	defer listener.Close()
	service, err := NewService(ctx, handler, options)
	if err != nil {
		return err
	}
	secured := insecure.NewCredentials()
	if options.TLS != nil {
		secured = credentials.NewTLS(options.TLS)
	}
	server := grpc.NewServer(append(service.Serving(), grpc.Creds(secured), grpc.WaitForHandlers(true))...)
	remotepb.RegisterRemoteServer(server, service)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-service.receiver.inbox.failed:
		err = service.receiver.inbox.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	server.Stop()
	return fmt.Errorf("serve %v: %w", listener.Addr(), err)
}

// Serving are the settings that a gRPC server needs to have for a service.
func (s *Service) Serving() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(mostPacket(s.options.Largest)),
		grpc.InitialWindowSize(streamWindow),
		grpc.InitialConnWindowSize(streamWindow),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: silence, Timeout: silence}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: silence / 2, PermitWithoutStream: true}),
		grpc.ConnectionTimeout(10 * time.Second),
	}
}
