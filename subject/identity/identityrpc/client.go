package identityrpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/internal/printable"
)

// Options are the settings of a client; the zero value is useful.
type Options struct {
	// Patience is how long one server may take to answer before the next one is asked; 0
	// means 2 s.
	Patience time.Duration
	// TLS is how connections are secured; nil does not secure them.
	TLS *tls.Config
	// Dialer makes connections; nil means those of TCP.
	Dialer func(ctx context.Context, address string) (net.Conn, error)
}

const (
	defaultPatience = 2 * time.Second
	// A connection that is silent for so long is asked whether it lives, and has so long to
	// answer; servers allow that (subject/remote).
	silence   = 20 * time.Second
	answering = 5 * time.Second
)

// ErrUnreachable is what an error is, with errors.Is, where no server could be connected to:
// nothing listens at any of the addresses.
var ErrUnreachable = errors.New("no server is reached")

var errNoAddress = errors.New("no address of a server")

// Client asks for identities, of whichever of its servers answers. Many goroutines can use
// one. Whoever opens one closes it.
type Client struct {
	options Options
	servers []server
	current atomic.Int64  // which server answered last
	highest atomic.Uint64 // that was returned
	calls   atomic.Int64  // requests that were sent
	closed  atomic.Bool
	shared  *shared
}

type server struct {
	address string
	conn    *grpc.ClientConn
	rpc     identitypb.IdentityClient
}

// New returns a client of servers at HOST:PORT, the first of which is asked until it does
// not answer. It connects when it is asked.
func New(addresses []string, options Options) (*Client, error) {
	if len(addresses) == 0 {
		return nil, errNoAddress
	}
	if options.Patience < 0 {
		return nil, fmt.Errorf("a patience of %v", options.Patience)
	}
	if options.Patience == 0 {
		options.Patience = defaultPatience
	}
	c := &Client{options: options}
	for _, address := range addresses {
		s, err := dial(address, options)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("server %s: %w", address, err), c.hangUp())
		}
		c.servers = append(c.servers, s)
	}
	c.shared = newShared(c)
	return c, nil
}

var errAddress = errors.New("not HOST:PORT")

func checkAddress(address string) error {
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return errAddress
	}
	return nil
}

func dial(address string, options Options) (server, error) {
	if err := checkAddress(address); err != nil {
		return server{}, err
	}
	secured := insecure.NewCredentials()
	if options.TLS != nil {
		secured = credentials.NewTLS(options.TLS)
	}
	dialing := []grpc.DialOption{grpc.WithTransportCredentials(secured), grpc.WithConnectParams(grpc.ConnectParams{
		Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 2, Jitter: 0.2, MaxDelay: time.Second}, MinConnectTimeout: options.Patience}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: silence, Timeout: answering, PermitWithoutStream: true})}
	if options.Dialer != nil {
		dialing = append(dialing, grpc.WithContextDialer(options.Dialer))
	}
	conn, err := grpc.NewClient("passthrough:///"+url.PathEscape(address), dialing...)
	return server{address, conn, identitypb.NewIdentityClient(conn)}, err
}

// Next returns an identity. Callers that wait at the same time share a request, one of
// which is under way at a time: each gets one that was handed out after it had called. If
// ctx ends first, the identity is nobody's.
func (c *Client) Next(ctx context.Context) (uint64, error) { return c.shared.next(ctx) }

// NextN returns n identities.
func (c *Client) NextN(ctx context.Context, n uint64) (Range, error) {
	var r Range
	err := c.ask(ctx, func(ctx context.Context, rpc identitypb.IdentityClient) error {
		request := c.request(n)
		reply, err := rpc.Next(ctx, request)
		if err == nil {
			r, err = rangeOf(reply, request)
		}
		return err
	})
	if err != nil {
		return Range{}, fmt.Errorf("next %d: %w", n, err)
	}
	c.raise(r.Last())
	return r, nil
}

// Update makes all identities that follow be above id, whichever server they come from: the
// one that answers is told at once, another one when it is asked.
func (c *Client) Update(ctx context.Context, id uint64) error {
	err := c.ask(ctx, func(ctx context.Context, rpc identitypb.IdentityClient) error {
		c.calls.Add(1)
		_, err := rpc.Update(ctx, &identitypb.UpdateRequest{Id: id})
		return err
	})
	if err != nil {
		return fmt.Errorf("update %d: %w", id, err)
	}
	c.raise(id)
	return nil
}

// ask asks one server after the other, from the one that answered last on, until one
// answers or it is of no use to go on.
func (c *Client) ask(ctx context.Context, one func(context.Context, identitypb.IdentityClient) error) error {
	if c.closed.Load() {
		return ErrClosed
	}
	var failures []error
	start := c.current.Load()
	for i := range c.servers {
		at := (int(start) + i) % len(c.servers)
		err := c.patiently(ctx, c.servers[at], one)
		if err == nil {
			if i > 0 {
				c.current.CompareAndSwap(start, int64(at))
			}
			return nil
		}
		if c.closed.Load() {
			return ErrClosed
		}
		failures = append(failures, fmt.Errorf("%s: %w", c.servers[at].address, plain(err, ctx.Err())))
		if ctx.Err() != nil { // whoever asks next need not wait for this one again
			c.current.CompareAndSwap(start, int64((at+1)%len(c.servers)))
			break
		}
		if !another(err) {
			break
		}
	}
	return joined(failures)
}

func (c *Client) patiently(ctx context.Context, s server, one func(context.Context, identitypb.IdentityClient) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.Patience)
	defer cancel()
	return one(ctx, s.rpc)
}

func (c *Client) request(n uint64) *identitypb.NextRequest {
	c.calls.Add(1)
	return &identitypb.NextRequest{Count: &n, Above: c.highest.Load()}
}

// rangeOf is the answer to a request.
func rangeOf(reply *identitypb.Identities, to *identitypb.NextRequest) (Range, error) {
	r := Range{reply.First, reply.Count, reply.Step}
	return r, r.check(to.GetCount(), to.Above)
}

// raise remembers the highest identity that any caller was given, so that another server
// goes on above it.
func (c *Client) raise(id uint64) {
	for {
		highest := c.highest.Load()
		if id <= highest || c.highest.CompareAndSwap(highest, id) {
			return
		}
	}
}

// another reports whether it is of use to ask another server.
func another(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.Canceled:
		return false
	}
	return true
}

// plain is an error without the words of gRPC around it; ended is that of the caller's context.
func plain(err, ended error) error {
	if s, is := status.FromError(err); is {
		return &CallError{s.Code(), printable.Text(s.Message()), ended}
	}
	return err
}

// CallError is what a server, or the way to it, answered.
type CallError struct {
	Code  codes.Code
	Text  string
	ended error
}

func (e *CallError) Error() string { return e.Text }

// Unwrap returns the error of the caller's context, if that has ended.
func (e *CallError) Unwrap() error { return e.ended }

// isUnreachable reports whether there is no connection. gRPC says so in words alone.
func isUnreachable(err error) bool {
	call, is := errors.AsType[*CallError](err)
	return is && call.Code == codes.Unavailable && strings.Contains(call.Text, "Error while dialing")
}

// joined are the failures of all servers that were asked.
func joined(failures []error) error {
	err := errors.Join(failures...)
	if slices.ContainsFunc(failures, func(err error) bool { return !isUnreachable(err) }) {
		return err
	}
	return unreachable{err}
}

// unreachable is [ErrUnreachable], in the words of each failure.
type unreachable struct{ error }

func (u unreachable) Is(target error) bool { return target == ErrUnreachable }
func (u unreachable) Unwrap() error        { return u.error }

// Calls is how many requests the client has sent.
func (c *Client) Calls() int { return int(c.calls.Load()) }

// Close ends all calls, which return [ErrClosed], and the connections.
func (c *Client) Close() error {
	if !c.closed.CompareAndSwap(false, true) {
		return ErrClosed
	}
	c.shared.close()
	return c.hangUp()
}

func (c *Client) hangUp() error {
	var err error
	for _, s := range c.servers {
		err = errors.Join(err, s.conn.Close())
	}
	return err
}

// A Range is a number of identities: First, First + Step and so on.
type Range struct{ First, Count, Step uint64 }

var errRange = errors.New("the server has answered with what are no identities")

// check reports what is not n identities above one.
func (r Range) check(n, above uint64) error {
	if r.Count != n || r.First <= above || r.Step == 0 || r.First > math.MaxInt64 || (n-1) > (math.MaxInt64-r.First)/r.Step {
		return errRange
	}
	return nil
}

// At is the i-th of them, from 0.
func (r Range) At(i uint64) uint64 { return r.First + i*r.Step }

// Last is the highest of them.
func (r Range) Last() uint64 { return r.At(r.Count - 1) }

// A Lease hands out identities that it has asked for in advance, to one goroutine, in
// ascending order; those of other callers come between. Order per-caller, result unique.
type Lease struct {
	client *Client
	size   uint64
	left   Range
	used   uint64
}

// Lease returns a lease that asks for so many identities at a time, at least 1.
func (c *Client) Lease(size uint64) *Lease { return &Lease{client: c, size: size} }

// Next returns the next identity, and asks for more where there is none.
func (l *Lease) Next(ctx context.Context) (uint64, error) {
	if l.used == l.left.Count {
		r, err := l.client.NextN(ctx, l.size)
		if err != nil {
			return 0, err
		}
		l.left, l.used = r, 0
	}
	l.used++
	return l.left.At(l.used - 1), nil
}
