package logdir

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
)

// oneDir is the argument check of the verbs that look at one log.
func oneDir(c *cobra.Command, args []string) error {
	verb := "commitlog " + c.Name()
	switch {
	case len(args) == 0 || args[0] == "":
		return exit.Usage(fmt.Errorf("%s: no directory named", verb), "for example syncwrite "+verb+" events.log")
	case len(args) > 1:
		return exit.Usage(fmt.Errorf("%s: unexpected argument %q", verb, args[1]), "one log at a time")
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
		return none, exit.With(exit.Interrupted, errors.New("interrupted; the log is as it was"), "")
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
