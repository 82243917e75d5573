package logdir

import (
	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
)

// Command is syncwrite commitlog with its verbs.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "commitlog",
		Short: "Verify, dump or repair a commitlog on disk",
		Long: `commitlog looks after the directory of an append-only log, as
subject/commitlog writes it: it says whether every byte is as it was written,
gets out what can be read, and makes a damaged log one that opens.`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return exit.Unknown("command", "commitlog "+args[0], verbPaths(c))
	}
	c.AddCommand(verifyCommand(), dumpCommand(), repairCommand())
	return c
}

// verbPaths names the verbs below a command as they are typed.
func verbPaths(c *cobra.Command) []string {
	var paths []string
	for _, name := range exit.Verbs(c) {
		paths = append(paths, c.Name()+" "+name)
	}
	return paths
}
