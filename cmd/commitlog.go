package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

func commitlogCommand() *cobra.Command {
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
		return unknown("command", "commitlog "+args[0], verbPaths(c))
	}
	c.AddCommand(verifyCommand(), dumpCommand(), repairCommand())
	return c
}

// verbPaths names the verbs below a command as they are typed.
func verbPaths(c *cobra.Command) []string {
	var paths []string
	for _, name := range verbs(c) {
		paths = append(paths, c.Name()+" "+name)
	}
	return paths
}

// oneDir is the argument check of the verbs that look at one log.
func oneDir(c *cobra.Command, args []string) error {
	verb := "commitlog " + c.Name()
	switch {
	case len(args) == 0:
		return usage(fmt.Errorf("%s: no directory named", verb), "for example syncwrite "+verb+" events.log")
	case len(args) > 1:
		return usage(fmt.Errorf("%s: unexpected argument %q", verb, args[1]), "one log at a time")
	}
	return nil
}

// checkDir tells what is no directory before anything is opened in it.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: no such directory", dir)
	}
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file; a log is a directory", dir)
	}
	return err
}

// untilInterrupted returns early if the context ends. It is for work that
// changes nothing and has no better way to be stopped.
func untilInterrupted[T any](ctx context.Context, work func() (T, error)) (T, error) {
	var result T
	done := make(chan error, 1)
	go func() {
		r, err := work()
		result = r
		done <- err
	}()
	select {
	case err := <-done:
		return result, err
	case <-ctx.Done():
		var none T
		return none, &failure{exitInterrupted, errors.New("interrupted; the log is as it was"), ""}
	}
}

// A number is a flag that is told from zero where it was not given.
type number struct {
	value uint64
	given bool
}

func (n *number) Set(text string) (err error) {
	if n.value, err = strconv.ParseUint(text, 10, 64); err != nil {
		return errors.New("not a whole number from 0 to 2^64-1")
	}
	n.given = true
	return nil
}

func (n *number) String() string {
	if !n.given {
		return ""
	}
	return strconv.FormatUint(n.value, 10)
}

// Type is what the flag's argument is called in the help.
func (n *number) Type() string { return "N" }
