package cmd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// identityAddress is where a server of identities listens if nothing else is said.
const identityAddress = "127.0.0.1:3265"

// identityFlags are the words of serve identity.
type identityFlags struct {
	listen, data, replica, metrics string
	peerCA                         pemFile
	peers                          []string
	floor, most                    uint64
	interval                       time.Duration
	tls                            serverTLS
	withStdin                      bool
}

func serveIdentityCommand() *cobra.Command {
	var f identityFlags
	c := &cobra.Command{
		Use:   "identity",
		Short: "Serve identities: ascending numbers, each one once, for ever",
		Long: `identity hands out numbers over gRPC, until Ctrl-C. What was handed out is kept in
a directory: a server that was killed goes on behind it. Several replicas share the
numbers, 1/3 has 1, 4, 7 and so on; they tell each other how far they are, so that
all ascend together. syncwrite id asks for numbers; the .proto file is in
subject/identity/identitypb.`,
		Example: "  syncwrite serve identity --data ids\n  syncwrite id -n 3\n" +
			"  syncwrite serve identity --data ids2 --listen 127.0.0.1:3267 --replica 2/3 --peers 127.0.0.1:3265,127.0.0.1:3269",
		Args: func(c *cobra.Command, args []string) error { return noArgs("serve identity", args) },
		RunE: func(c *cobra.Command, args []string) error { return f.serve(c.Context(), os.Stderr) },
	}
	c.Flags().StringVar(&f.listen, "listen", identityAddress, "address and port; port 0 takes a free one")
	c.Flags().StringVar(&f.data, "data", "", "directory that keeps what was handed out; made if there is none")
	c.Flags().StringVar(&f.replica, "replica", "1/1", "which of how many replicas it is, for good")
	c.Flags().StringSliceVar(&f.peers, "peers", nil, "addresses of the others, HOST:PORT,…")
	c.Flags().DurationVar(&f.interval, "interval", time.Second, "how often they are told how far this one is")
	c.Flags().Uint64Var(&f.floor, "floor", 0, "hand out only what lies above")
	c.Flags().Uint64Var(&f.most, "max-per-request", identityrpc.DefaultMost, "identities that one request gets, at most")
	c.Flags().StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics at this address and port, at /metrics")
	f.tls.bind(c)
	c.Flags().Var(&f.peerCA, "tls-peer-ca", "by whom the certificates of peers are, PEM (default: whom the system trusts)")
	c.Flags().BoolVar(&f.withStdin, "with-stdin", false, "stop when stdin ends, too: with the process that has started it")
	return c
}

// serve serves, and tells how it has ended. It goes on, and ends, also where nobody takes
// what it says.
func (f identityFlags) serve(ctx context.Context, stderr io.Writer) error {
	lines := exit.NewLines(stderr)
	defer lines.Close()
	return exit.With(exit.Code(lines, f.serveSaying(ctx, lines)), nil, "")
}

func (f identityFlags) serveSaying(ctx context.Context, stderr io.Writer) error {
	options, err := f.options(stderr)
	if err != nil {
		return exit.Usage(fmt.Errorf("serve identity: %w", err), "")
	}
	replica, err := identity.ParseReplica(f.replica)
	if err == nil {
		err = options.Check(replica)
	}
	if err != nil {
		return exit.Usage(fmt.Errorf("serve identity: %w", err), "")
	}
	if f.withStdin {
		ctx = untilStdinEnds(ctx)
	}
	listener, err := listenAt(stderr, "identity", "--listen", f.listen, options.TLS != nil)
	if err != nil {
		return err
	}
	defer listener.Close()
	endMetrics, err := f.serveMetrics(stderr, options.Metrics)
	if err != nil {
		return err
	}
	ids, err := identityrpc.Open(f.data, identity.KeptOptions[*identitypb.Identities]{
		Options: identity.Options[*identitypb.Identities]{Floor: f.floor}, Replica: replica})
	if err != nil {
		endMetrics()
		return exit.With(exit.Error, fmt.Errorf("serve identity: %w", err), hintOfData(err))
	}
	exit.Say(stderr, fmt.Sprintf("identity on %v, replica %v, above %d; Ctrl-C stops", listener.Addr(), replica, ids.Last()))
	err = identityrpc.Serve(ctx, listener, ids, options)
	exit.Say(stderr, fmt.Sprintf("identity, replica %v, ended at %d", replica, ids.Last()))
	if err = errors.Join(err, ids.Close(), endMetrics()); err != nil {
		return fmt.Errorf("serve identity: %w", err)
	}
	return nil
}

func hintOfData(err error) string {
	var damaged *commitlog.CorruptError
	switch {
	case errors.Is(err, commitlog.ErrLocked):
		return "another server has it; each one needs a directory of its own"
	case errors.As(err, &damaged), errors.Is(err, identity.ErrNothingKept):
		return "identities may have been handed out of which it does not know: take a new directory; " + identityrpc.WayOut
	}
	return ""
}

func (f identityFlags) options(stderr io.Writer) (identityrpc.ServeOptions, error) {
	o := identityrpc.ServeOptions{Peers: f.peers, Interval: f.interval, Most: f.most, Metrics: identityrpc.NewMetrics(),
		Say: func(text string) { exit.Say(stderr, text) }}
	switch {
	case f.data == "":
		return o, errors.New("--data DIR is needed: it keeps what was handed out")
	case f.floor > identity.Max:
		return o, fmt.Errorf("--floor %d: at most %d", f.floor, uint64(identity.Max))
	case slices.Contains(f.peers, f.listen):
		return o, fmt.Errorf("--peers %s: that is this server itself", f.listen)
	case f.interval <= 0: // which means none was said, to identityrpc
		return o, fmt.Errorf("--interval %v: more than 0", f.interval)
	case f.most < identityrpc.MostShared:
		return o, fmt.Errorf("--max-per-request %d: at least %d, which clients count on", f.most, identityrpc.MostShared)
	}
	if f.peerCA != "" && f.tls == (serverTLS{}) {
		return o, errors.New("--tls-peer-ca goes with --tls-cert and --tls-key")
	}
	var err error
	if o.TLS, err = f.tls.config(); err != nil || o.TLS == nil {
		return o, err
	}
	o.PeerTLS = &tls.Config{Certificates: o.TLS.Certificates, MinVersion: tls.VersionTLS12}
	if f.peerCA != "" {
		o.PeerTLS.RootCAs, err = authority("--tls-peer-ca", f.peerCA)
	}
	return o, err
}

// serveMetrics serves what there is to see, if that was asked for, until what it returns is
// called.
func (f identityFlags) serveMetrics(stderr io.Writer, metrics *identityrpc.Metrics) (end func() error, err error) {
	if f.metrics == "" {
		return func() error { return nil }, nil
	}
	listener, err := listenAt(stderr, "metrics", "--metrics", f.metrics, true) // there is nothing to write or to keep secret
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	exit.Say(stderr, "metrics on http://"+listener.Addr().String()+"/metrics")
	return func() error { defer serving.Wait(); return server.Close() }, nil
}
