package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// echoFlags are the words of serve echo.
type echoFlags struct {
	listen    string
	tls       serverTLS
	largest   int
	withStdin bool
}

func serveEchoCommand() *cobra.Command {
	var f echoFlags
	c := &cobra.Command{
		Use:   "echo",
		Short: "Serve a receiver that answers each message with itself",
		Long: `echo receives the messages of subject/remote over gRPC and answers each with
itself, until Ctrl-C: syncwrite run remote --target HOST:PORT measures against it,
from another process or machine. On one machine, hold it to some processors
(taskset -c 1 syncwrite serve echo): the senders leave it those. run connects in the
clear: an echo with --tls-cert is for peers of your own.`,
		Example: "  syncwrite serve echo\n  syncwrite run remote --target 127.0.0.1:3264",
		Args:    func(c *cobra.Command, args []string) error { return noArgs("serve echo", args) },
		RunE:    func(c *cobra.Command, args []string) error { return f.serve(c.Context()) },
	}
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:3264", "address and port; port 0 takes a free one")
	f.tls.bind(c)
	c.Flags().IntVar(&f.largest, "largest", 0, "bytes of a message, at most (default 1 MiB)")
	c.Flags().BoolVar(&f.withStdin, "with-stdin", false, "stop when stdin ends, too: with the process that has started it")
	return c
}

func (f echoFlags) serve(ctx context.Context) error {
	if f.largest < 0 || f.largest > remote.MostLargest {
		return exit.Usage(fmt.Errorf("serve echo: --largest %d: from 0 to %d", f.largest, remote.MostLargest), "")
	}
	secured, err := f.tls.config()
	if err != nil {
		return exit.Usage(fmt.Errorf("serve echo: %w", err), "")
	}
	if f.withStdin {
		ctx = untilStdinEnds(ctx)
	}
	listener, err := listenAt(os.Stderr, "echo", "--listen", f.listen, secured != nil)
	if err != nil {
		return err
	}
	exit.Say(os.Stderr, "echo on "+listener.Addr().String()+"; Ctrl-C stops")
	echo := func(_ context.Context, _ string, m remote.Message) ([]byte, error) { return m.Payload, nil }
	err = remote.Serve(ctx, listener, echo, remote.ServiceOptions{Largest: f.largest, TLS: secured})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
