package cmd

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/cmd/internal/logdir"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// Main runs the command with the program's arguments and returns its exit
// code. To measure, it starts the program again where args are all of the
// program's own. It handles SIGINT and SIGTERM: the first ends the run in order, the
// second kills.
func Main(catalogue []harness.Experiment, args []string) int {
	if code, is := experiments.Child(); is {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot(catalogue, repeatable(args))
	root.SetArgs(args)
	return exit.Code(os.Stderr, root.ExecuteContext(ctx))
}

func newRoot(catalogue []harness.Experiment, again bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "syncwrite",
		Short: "Find out what synchronization costs, and why",
		Long: `syncwrite runs one operation from N goroutines and says how many a second,
how long each took, how both change with N, what each variant promises,
and how sure the figures are. A variant is one design of what is measured.

Start with syncwrite run (under a minute) or syncwrite run --quick (about 12 s);
syncwrite list names what else can be measured.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	root.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return exit.Unknown("command", args[0], exit.Verbs(c))
	}
	root.SetFlagErrorFunc(exit.Flag)
	root.AddCommand(runCommand(catalogue, again), reportCommand(), compareCommand(), testCommand(), listCommand(catalogue), serveCommand(), idCommand(), loadCommand(again), workerCommand(catalogue), logdir.Command(), versionCommand())
	refuseShells(root)
	refuseTopics(root)
	return root
}

// refuseTopics has help, which cobra adds, refuse a command that there is not.
func refuseTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"}) // it was added just now
	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		if err == nil && len(rest) == 0 {
			return of.Help()
		}
		if len(rest) == 0 {
			rest = args
		}
		return exit.Unknown("command", rest[0], exit.Verbs(of))
	}
}

// refuseShells has completion, which cobra adds, refuse a shell that it does not know.
func refuseShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"}) // it was added just now
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return exit.Unknown("shell", args[0], exit.Verbs(c))
	}
}
