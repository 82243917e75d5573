package experiments

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// A connection asks for one identity at a time.
type connection struct {
	conn  *grpc.ClientConn
	rpc   identitypb.IdentityClient
	asked atomic.Int64
}

func newConnection(address string) (*connection, error) {
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, rpc: identitypb.NewIdentityClient(conn)}, nil
}

func dialEach(address string) (way, bool, error) {
	c, err := newConnection(address)
	return c, false, err
}

func dialShared(address string) (way, bool, error) {
	c, err := newConnection(address)
	return c, true, err
}

func (c *connection) taker() func() (uint64, error) {
	ctx, request := context.Background(), new(identitypb.NextRequest)
	return func() (uint64, error) {
		c.asked.Add(1)
		reply, err := c.rpc.Next(ctx, request)
		return reply.GetFirst(), err
	}
}

func (c *connection) calls() int { return int(c.asked.Load()) }

func (c *connection) close() error { return c.conn.Close() }

// A sharedStream carries the requests of all callers, one by one; answers come in the
// order of requests.
type sharedStream struct {
	*connection
	stream    grpc.BidiStreamingClient[identitypb.NextRequest, identitypb.Identities]
	listening sync.WaitGroup

	mu      sync.Mutex // guards the order of requests
	waiting chan chan uint64
}

// mostOnStream is how many callers can wait for answers.
const mostOnStream = 1 << 16

var errStream = errors.New("the stream has ended")

func dialStream(address string) (way, bool, error) {
	c, err := newConnection(address)
	if err != nil {
		return nil, true, err
	}
	s := &sharedStream{connection: c, waiting: make(chan chan uint64, mostOnStream)}
	if s.stream, err = c.rpc.Stream(context.Background()); err != nil {
		return nil, true, errors.Join(err, c.close())
	}
	s.listening.Go(s.listen)
	return s, true, nil
}

func (s *sharedStream) taker() func() (uint64, error) {
	answer, request := make(chan uint64, 1), new(identitypb.NextRequest)
	return func() (uint64, error) {
		if err := s.send(request, answer); err != nil {
			return 0, err
		}
		if id := <-answer; id > 0 {
			return id, nil
		}
		return 0, errStream
	}
}

func (s *sharedStream) send(request *identitypb.NextRequest, answer chan uint64) error {
	s.asked.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stream.Send(request); err != nil {
		return err
	}
	s.waiting <- answer
	return nil
}

// listen hands answers to those who wait, in their order; 0 once there is no more.
func (s *sharedStream) listen() {
	for answer := range s.waiting {
		reply, err := s.stream.Recv()
		if err != nil {
			reply = nil
		}
		answer <- reply.GetFirst()
	}
}

func (s *sharedStream) close() error {
	close(s.waiting)
	s.listening.Wait()
	return s.connection.close()
}

// A clientWay asks by the project's client.
type clientWay struct {
	*identityrpc.Client
	lease uint64 // identities that each caller asks for at a time; 0: callers share requests
}

func dialCoalesced(address string) (way, bool, error) { return dialClient(address, 0) }

func dialLease(size uint64) dialIdentity {
	return func(address string) (way, bool, error) { return dialClient(address, size) }
}

func dialClient(address string, lease uint64) (way, bool, error) {
	client, err := identityrpc.New([]string{address}, identityrpc.Options{})
	return clientWay{client, lease}, true, err
}

func (c clientWay) taker() func() (uint64, error) {
	ctx := context.Background()
	if c.lease == 0 {
		return func() (uint64, error) { return c.Next(ctx) }
	}
	lease := c.Lease(c.lease)
	return func() (uint64, error) { return lease.Next(ctx) }
}

func (c clientWay) calls() int { return c.Calls() }

func (c clientWay) close() error { return c.Close() }
