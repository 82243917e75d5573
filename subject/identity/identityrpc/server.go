package identityrpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/internal/connections"
	"github.com/syncwrite/syncwrite/subject/remote"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// Kept are the identities that a server keeps in a directory.
type Kept = identity.Kept[*identitypb.Identities]

// Open opens the identities of a directory, as [identity.OpenKept] does.
func Open(dir string, options identity.KeptOptions[*identitypb.Identities]) (*Kept, error) {
	options.Reply = Replies(max(options.Replica.Of, 1))
	return identity.OpenKept(dir, options)
}

// ServeOptions are the settings of a server; the zero value is useful.
type ServeOptions struct {
	// Peers are the other replicas, at HOST:PORT.
	Peers []string
	// Interval is how often they are told how far this one is; 0 means 1 s. Behind a
	// partition in which packets are lost replicas need two of them, and two seconds at least.
	Interval time.Duration
	// Most is how many identities one request gets at most; 0 means [DefaultMost].
	Most uint64
	// TLS is how connections of others are secured, PeerTLS how those to peers are; nil
	// does not secure them.
	TLS, PeerTLS *tls.Config
	// Metrics, if set, is told what there is to see of the server.
	Metrics *Metrics
	// Say, if set, is told what whoever runs the server has to know: peers that come and
	// go, and why nothing is handed out any more. It is called from one goroutine at a time,
	// which keeps up with peers: it must not wait.
	Say func(text string)
	// Dialer makes connections to peers; nil means those of TCP.
	Dialer func(ctx context.Context, address string) (net.Conn, error)
}

const (
	defaultInterval = time.Second
	leastInterval   = 100 * time.Millisecond
	mostInterval    = time.Hour
	// stopping is how long requests under way have when a server ends.
	stopping = time.Second
	// mostStreams is how many requests a connection may have under way.
	mostStreams = 4096
)

// Check reports the first setting with which a replica cannot be served.
func (o ServeOptions) Check(replica identity.Replica) error {
	switch {
	case o.Interval != 0 && (o.Interval < leastInterval || o.Interval > mostInterval):
		return fmt.Errorf("an interval of %v: from %v to %v", o.Interval, leastInterval, mostInterval)
	case len(o.Peers) > 0 && replica.Of < 2:
		return errors.New("peers, and one replica only: say which of how many this is, as 1/3")
	case uint64(len(o.Peers)) >= max(replica.Of, 2):
		return fmt.Errorf("%d peers of one in %d replicas", len(o.Peers), replica.Of)
	}
	for i, address := range o.Peers {
		if slices.Contains(o.Peers[:i], address) {
			return fmt.Errorf("peer %s is there twice", address)
		}
		if err := checkAddress(address); err != nil {
			return fmt.Errorf("peer %s: %w", address, err)
		}
	}
	return nil
}

// complete fills in what is not set.
func (o ServeOptions) complete() ServeOptions {
	if o.Interval == 0 {
		o.Interval = defaultInterval
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return o
}

// Serve serves identities, and keeps up with the other replicas, until ctx ends: then it
// returns nil. It closes the listener, and not ids.
func Serve(ctx context.Context, listener net.Listener, ids *Kept, options ServeOptions) error {
	defer listener.Close()
	if err := options.Check(ids.Replica()); err != nil {
		return err
	}
	options = options.complete()
	service := NewService(ids, options.Most)
	sync, err := startSync(ids, service, options)
	if err != nil {
		return err
	}
	server, healthy, err := newServer(service, sync, options)
	if err != nil {
		return errors.Join(err, sync.stop())
	}
	served := make(chan error, 1)
	open := &connections.Listener{Listener: listener}
	go func() { served <- server.Serve(open) }()
	select {
	case err = <-served:
		err = fmt.Errorf("serve %v: %w", listener.Addr(), err)
	case <-sync.conflict: // it goes on, and says why to whoever asks
		healthy.Shutdown()
		select {
		case err = <-served:
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	healthy.Shutdown()
	service.stop(errEnding) // first: what is handed out behind the last synchronisation lies too low
	err = errors.Join(err, sync.stop())
	end(server, open)
	return err
}

// newServer puts together all that the port answers.
func newServer(service *Service, sync *syncing, options ServeOptions) (*grpc.Server, *health.Server, error) {
	receiver, err := remote.NewService(context.Background(), sync.handle, remote.ServiceOptions{Largest: mostFloor, TLS: options.TLS})
	if err != nil {
		return nil, nil, err
	}
	server := grpc.NewServer(append(receiver.Serving(), grpc.MaxConcurrentStreams(mostStreams), grpc.WaitForHandlers(true),
		grpc.UnaryInterceptor(options.Metrics.unary), grpc.StreamInterceptor(options.Metrics.stream))...)
	identitypb.RegisterIdentityServer(server, service)
	remotepb.RegisterRemoteServer(server, receiver) // also of the only one: others may take it for one of them
	healthy := health.NewServer()
	healthy.SetServingStatus(identitypb.Identity_ServiceDesc.ServiceName, grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(server, healthy)
	reflection.Register(server)
	options.Metrics.watch(service, sync)
	return server, healthy, nil
}

// end lets requests under way end, and then ends streams, which go on for ever, and
// connections that have never said anything, for which gRPC waits.
func end(server *grpc.Server, open *connections.Listener) {
	late := time.AfterFunc(stopping, open.HangUp)
	defer late.Stop()
	server.GracefulStop()
}
