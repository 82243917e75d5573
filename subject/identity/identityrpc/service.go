package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// DefaultMost is how many identities one request gets at most, where nothing else is said.
const DefaultMost = 1 << 20

// Replies makes the replies of a server whose identities are so far apart: 1, or as many
// as there are replicas.
func Replies(step uint64) func(first, n uint64) *identitypb.Identities {
	return func(first, n uint64) *identitypb.Identities {
		return &identitypb.Identities{First: first, Count: n, Step: step}
	}
}

// Service hands out the identities of a server, as a part of a gRPC server of yours;
// [Serve] has one of its own. Yours has to allow that clients ask each 20 s whether a
// connection lives (keepalive.EnforcementPolicy), else it closes theirs now and then.
type Service struct {
	identitypb.UnimplementedIdentityServer
	from    identity.Server[*identitypb.Identities]
	most    uint64
	stopped atomic.Pointer[error] // why nothing is handed out any more
	handed  atomic.Uint64         // identities
}

// NewService returns a service; most is how many identities one request gets at most: 0
// means [DefaultMost], and it is never less than [MostShared].
func NewService(from identity.Server[*identitypb.Identities], most uint64) *Service {
	if most == 0 {
		most = DefaultMost
	}
	return &Service{from: from, most: max(most, MostShared)}
}

// Next implements the gRPC service.
func (s *Service) Next(ctx context.Context, request *identitypb.NextRequest) (*identitypb.Identities, error) {
	reply, err := s.next(ctx, request)
	if err != nil {
		return nil, statusOf(err)
	}
	return reply, nil
}

func (s *Service) next(ctx context.Context, request *identitypb.NextRequest) (*identitypb.Identities, error) {
	count := uint64(1)
	if request.Count != nil {
		count = *request.Count
	}
	if count > s.most {
		return nil, fmt.Errorf("next %d: %w: at most %d in one request", count, identity.ErrCount, s.most)
	}
	if err := s.mayHandOut(ctx); err != nil {
		return nil, err
	}
	if request.Above > 0 {
		if err := s.from.Update(ctx, request.Above); err != nil {
			return nil, err
		}
	}
	reply, err := s.from.NextN(ctx, count)
	if err != nil {
		return nil, err
	}
	if err := s.found(); err != nil { // else somebody was told that it has handed out nothing
		return nil, err
	}
	s.handed.Add(count)
	return reply, nil
}

// mayHandOut is why nothing can be: nobody waits any more, or it has stopped.
func (s *Service) mayHandOut(ctx context.Context) error {
	if why := s.stopped.Load(); why != nil {
		return *why
	}
	return ctx.Err()
}

// Stream implements the gRPC service.
func (s *Service) Stream(stream grpc.BidiStreamingServer[identitypb.NextRequest, identitypb.Identities]) error {
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reply, err := s.next(stream.Context(), request)
		if err != nil {
			return statusOf(err)
		}
		if err := stream.Send(reply); err != nil {
			return err
		}
	}
}

// Update implements the gRPC service.
func (s *Service) Update(ctx context.Context, request *identitypb.UpdateRequest) (*identitypb.UpdateReply, error) {
	if err := s.mayHandOut(ctx); err != nil {
		return nil, statusOf(err)
	}
	if err := s.from.Update(ctx, request.Id); err != nil {
		return nil, statusOf(err)
	}
	return &identitypb.UpdateReply{}, nil
}

// found is why the server was told to stop, if it was.
func (s *Service) found() error {
	if why := s.stopped.Load(); why != nil && errors.Is(*why, ErrStopped) {
		return *why
	}
	return nil
}

// stop ends handing out, for the first reason that it is given, and reports whether this
// was it.
func (s *Service) stop(why error) bool { return s.stopped.CompareAndSwap(nil, &why) }

// statusOf is an error as the other side is told.
func statusOf(err error) error {
	code := codes.Unavailable // a full disk, a log that has stopped
	switch {
	case errors.Is(err, identity.ErrCount), errors.Is(err, identity.ErrRange):
		code = codes.InvalidArgument
	case errors.Is(err, identity.ErrExhausted):
		code = codes.ResourceExhausted
	case errors.Is(err, identity.ErrTooFar):
		code = codes.OutOfRange
	case errors.Is(err, ErrStopped):
		code = codes.FailedPrecondition
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, err.Error())
}
