package logdir

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

func verifyCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify DIR",
		Short: "Say whether every byte of a log is as it was written",
		Long: `verify reads all of the log in DIR, changes nothing and takes no lock. The end
of a log that is being written may therefore look half written.

It exits 0 if every entry is as it was written, and 1 if there is damage. An
end that a crash left unfinished is no damage: it was never promised to survive.`,
		Example: `  syncwrite commitlog verify events.log
  syncwrite commitlog verify events.log --json | jq .outcome`,
		Args: oneDir,
		RunE: func(c *cobra.Command, args []string) error {
			v, err := verifyLog(c.Context(), args[0])
			if err != nil {
				return err
			}
			write := writeVerification
			if asJSON {
				write = writeVerificationJSON
			}
			return exit.First(write(os.Stdout, args[0], v), verdictError(args[0], v))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

func verifyLog(ctx context.Context, dir string) (*commitlog.Verification, error) {
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	return untilInterrupted(ctx, func() (*commitlog.Verification, error) { return commitlog.Verify(dir) })
}

// verdictError is what a verification exits with.
func verdictError(dir string, v *commitlog.Verification) error {
	switch outcomeOf(v) {
	case outcomeDamaged:
		return exit.With(exit.Error, fmt.Errorf("%s: log is damaged", dir),
			"syncwrite commitlog repair "+dir+" keeps every entry that can be read")
	case outcomeRepaired:
		return exit.With(exit.Error, fmt.Errorf("%s: %s lost before an earlier repair", dir, were(v.Lost)), "")
	}
	return nil
}
