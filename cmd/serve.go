package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/albums"
)

// guards are the lists that serve albums can keep.
func guards() map[string]func(albums.Options) albums.Store {
	return map[string]func(albums.Options) albums.Store{
		"mutex":    func(o albums.Options) albums.Store { return albums.NewMutex(o) },
		"rwmutex":  func(o albums.Options) albums.Store { return albums.NewRWMutex(o) },
		"snapshot": func(o albums.Options) albums.Store { return albums.NewSnapshot(o) },
	}
}

func guardNames() []string { return slices.Sorted(maps.Keys(guards())) }

func serveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:              "serve",
		Short:            "Serve what clients can be measured against",
		Args:             cobra.ArbitraryArgs,
		PersistentPreRun: func(*cobra.Command, []string) { outliveReaders() }, // of each service
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return exit.Unknown("service", args[0], exit.Verbs(c))
		},
	}
	c.AddCommand(serveAlbumsCommand(), serveEchoCommand(), serveIdentityCommand())
	return c
}

func serveAlbumsCommand() *cobra.Command {
	var listen, guard string
	var most, keep int
	var withStdin bool
	c := &cobra.Command{
		Use:   "albums",
		Short: "Serve a list of albums: GET and POST /albums, GET /albums/ID",
		Long: `albums serves a list that requests read whole and append to, until Ctrl-C: then
requests under way are answered, ten seconds at most. GET /metrics says how many
requests were answered with which status, and how many albums there are.`,
		Example: "  syncwrite serve albums\n  syncwrite serve albums --guard mutex --listen 127.0.0.1:0",
		Args:    func(c *cobra.Command, args []string) error { return noArgs("serve albums", args) },
		RunE: func(c *cobra.Command, args []string) error {
			open, known := guards()[guard]
			switch {
			case !known:
				return exit.Unknown("guard", guard, guardNames())
			case most < 1:
				return exit.Usage(fmt.Errorf("--max-albums %d: at least 1", most), "")
			case keep < 0 || keep > most:
				return exit.Usage(fmt.Errorf("--keep %d: from 0 to --max-albums, %d", keep, most), "")
			}
			ctx := c.Context()
			if withStdin {
				ctx = untilStdinEnds(ctx)
			}
			return serve(ctx, os.Stderr, "albums", listen, albums.NewCounted(open(albums.Options{Most: most, Keep: keep})))
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "address and port; port 0 takes a free one")
	c.Flags().StringVar(&guard, "guard", "snapshot", "how the list is guarded and encoded: "+strings.Join(guardNames(), ", "))
	c.Flags().IntVar(&most, "max-albums", albums.DefaultMost, "how many the list holds")
	c.Flags().IntVar(&keep, "keep", 0, "begin with so many, and let each new one take the oldest one's place: a list that does not grow")
	c.Flags().BoolVar(&withStdin, "with-stdin", false, "stop when stdin ends, too: with the process that has started it")
	completes(c, "guard", completeWords(guardNames()))
	return c
}

// outliveReaders has the process go on where whoever reads its stderr has gone: what it writes
// there fails, and does not kill it. What it starts is killed as ever.
func outliveReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// untilStdinEnds is a context that ends when stdin does, too.
func untilStdinEnds(ctx context.Context) context.Context {
	ctx, stop := context.WithCancel(ctx)
	go func() { io.Copy(io.Discard, os.Stdin); stop() }() // until the process ends
	return ctx
}

// checkListen says why nobody can listen at an address, on whatever machine.
func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return errors.New("not an address and a port")
	}
	_, err = net.LookupPort("tcp", port) // names of services are ports, too
	var number *net.AddrError
	switch {
	case errors.As(err, &number):
		return fmt.Errorf("port %s: from 0 to 65535", port)
	case err != nil:
		return fmt.Errorf("port %s: no number, and no service of that name", port)
	}
	return nil
}

// listenAt listens where a service is to be, as a flag has it, and warns where others reach it in clear.
func listenAt(stderr io.Writer, what, flag, address string, secured bool) (net.Listener, error) {
	if err := checkListen(address); err != nil {
		return nil, exit.Usage(fmt.Errorf("%s %s: %w", flag, address, err), "for example "+flag+" 127.0.0.1:0")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, exit.With(exit.Error, fmt.Errorf("serve %s: %w", what, err), flag+" 127.0.0.1:0 takes a free port")
	}
	if host, _, _ := net.SplitHostPort(address); !loopback(host) && !secured {
		exit.Say(stderr, "whoever reaches "+listener.Addr().String()+" can read and write, and without TLS be read along")
	}
	return listener, nil
}

// stopping is how long requests under way have when a server stops.
const stopping = 10 * time.Second

// serve serves until ctx ends.
func serve(ctx context.Context, stderr io.Writer, what, address string, handler http.Handler) error {
	listener, err := listenAt(stderr, what, "--listen", address, false)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	exit.Say(stderr, what+" on http://"+listener.Addr().String()+"; Ctrl-C stops")
	select {
	case err = <-served:
		return fmt.Errorf("serve %s: %w", what, err)
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	if err = server.Shutdown(within); err != nil {
		err = errors.Join(fmt.Errorf("serve %s: stop: %w", what, err), server.Close())
	}
	<-served
	return err
}

// loopback reports whether a host is this machine for itself alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
