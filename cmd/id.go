package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// idChunk is how many identities one request asks for.
const idChunk = 1 << 12

func idCommand() *cobra.Command {
	var n int64
	var addresses []string
	var secured clientTLS
	c := &cobra.Command{
		Use:   "id",
		Short: "Ask a server for identities, and print one a line",
		Long: `id asks syncwrite serve identity for numbers that nobody else gets, and prints one
a line, ascending. Of several addresses the next one is asked where one does not
answer. What was printed was handed out, also where it ends with an error.`,
		Example: "  syncwrite id\n  syncwrite id -n 1000 --addr 127.0.0.1:3265,127.0.0.1:3267",
		Args:    func(c *cobra.Command, args []string) error { return noArgs("id", args) },
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 || n > identity.Max {
				return exit.Usage(fmt.Errorf("-n %d: at least 1", n), "")
			}
			config, err := secured.config()
			if err != nil {
				return exit.Usage(fmt.Errorf("id: %w", err), "")
			}
			client, err := identityrpc.New(addresses, identityrpc.Options{TLS: config})
			if err != nil {
				return exit.Usage(fmt.Errorf("--addr: %w", err), "")
			}
			return errors.Join(printIDs(c.Context(), c.OutOrStdout(), client, uint64(n)), client.Close())
		},
	}
	c.Flags().Int64VarP(&n, "number", "n", 1, "how many")
	c.Flags().StringSliceVar(&addresses, "addr", []string{identityAddress}, "addresses of servers, HOST:PORT,…")
	secured.bind(c)
	return c
}

// hintOfID has a server started only where there is none: one that has answered may have been
// told to stop, or want certificates.
func hintOfID(err error) string {
	if errors.Is(err, identityrpc.ErrUnreachable) {
		return "is there a server? syncwrite serve identity --data ids starts one"
	}
	return ""
}

var errInterrupted = errors.New("interrupted; what was printed was handed out")

// printIDs prints what it gets as it gets it.
func printIDs(ctx context.Context, to io.Writer, client *identityrpc.Client, n uint64) error {
	out := bufio.NewWriter(to)
	for n > 0 {
		some := min(n, idChunk)
		r, err := client.NextN(ctx, some)
		if ctx.Err() != nil {
			return exit.With(exit.Interrupted, errInterrupted, "")
		}
		if err != nil {
			return exit.With(exit.Error, err, hintOfID(err))
		}
		for i := range some {
			out.Write(strconv.AppendUint(nil, r.At(i), 10))
			out.WriteByte('\n')
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("print identities: %w", err)
		}
		n -= some
	}
	return nil
}
