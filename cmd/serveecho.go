package cmd

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// echoFlags are the words of serve echo.
type echoFlags struct {
	listen, cert, key, clients string
	largest                    int
	withStdin                  bool
}

func serveEchoCommand() *cobra.Command {
	var f echoFlags
	c := &cobra.Command{
		Use:   "echo",
		Short: "Serve a receiver that answers each message with itself",
		Long: `echo receives the messages of subject/remote over gRPC and answers each with
itself, until Ctrl-C: syncwrite run remote --target HOST:PORT measures against it,
from another process or machine. On one machine, hold it to some processors
(taskset -c 1 syncwrite serve echo): the senders leave it those.`,
		Example: "  syncwrite serve echo\n  syncwrite run remote --target 127.0.0.1:3264",
		Args:    func(c *cobra.Command, args []string) error { return noArgs("serve echo", args) },
		RunE:    func(c *cobra.Command, args []string) error { return f.serve(c.Context()) },
	}
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:3264", "address and port; port 0 takes a free one")
	c.Flags().StringVar(&f.cert, "tls-cert", "", "certificate of the server, PEM; with --tls-key")
	c.Flags().StringVar(&f.key, "tls-key", "", "its key, PEM")
	c.Flags().StringVar(&f.clients, "tls-client-ca", "", "whose certificates clients have to show, PEM")
	c.Flags().IntVar(&f.largest, "largest", 0, "bytes of a message, at most (default 1 MiB)")
	c.Flags().BoolVar(&f.withStdin, "with-stdin", false, "stop when stdin ends, too: with the process that has started it")
	return c
}

func (f echoFlags) serve(ctx context.Context) error {
	secured, err := f.tls()
	if err != nil {
		return exit.Usage(fmt.Errorf("serve echo: %w", err), "")
	}
	if f.withStdin {
		ctx = untilStdinEnds(ctx)
	}
	listener, err := listenAt(os.Stderr, "echo", f.listen, secured != nil)
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

// tls is how connections are secured; nil if they are not.
func (f echoFlags) tls() (*tls.Config, error) {
	if f.cert == "" && f.key == "" && f.clients == "" {
		return nil, nil
	}
	cert, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	secured := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if f.clients != "" {
		text, err := os.ReadFile(f.clients)
		if err != nil {
			return nil, fmt.Errorf("--tls-client-ca: %w", err)
		}
		secured.ClientAuth, secured.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		if !secured.ClientCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--tls-client-ca: no certificate in %s", f.clients)
		}
	}
	return secured, nil
}
