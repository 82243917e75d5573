package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// measureVariable tells a process that it measures for another one, which has
// the same arguments.
const measureVariable = "SYNCWRITE_MEASURE"

// measuring reports whether this process measures for another.
func measuring() bool { return os.Getenv(measureVariable) != "" }

// measureForOther measures what the other process orders. Its words go to
// stdout, so whatever an operation prints there goes to stderr.
func measureForOther(ctx context.Context, config harness.Config, stderr io.Writer, experiments []harness.Experiment) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	config.Record = func(record any) error { showStacks(stderr, record); return nil }
	return harness.Measure(ctx, config, os.Stdin, out, experiments...)
}

// measure measures in processes of their own, where this program can start
// itself again, so that a trial that is stuck costs one of them and not the run.
func measure(ctx context.Context, config harness.Config, again bool, stderr io.Writer, experiments []harness.Experiment) (*results.Run, error) {
	if again {
		run, err := harness.RunApart(ctx, config, itself, experiments...)
		if !errors.Is(err, harness.ErrNotMeasuring) {
			return run, err
		}
	}
	keep := config.Record
	config.Record = func(record any) error { showStacks(stderr, record); return keep(record) }
	return harness.Run(ctx, config, experiments...)
}

// showStacks shows what the goroutines of a failed trial were at.
func showStacks(stderr io.Writer, record any) {
	if o, is := record.(results.Outcome); is && o.Dump != nil {
		say(stderr, fmt.Sprintf("goroutines of %s/%s at N = %d:", o.Experiment, o.Variant, o.Goroutines))
		for _, line := range o.Dump {
			fmt.Fprintln(stderr, results.Printable(line))
		}
	}
}

// repeatable reports whether this program, started again with its own
// arguments, would come here with those that it was given.
func repeatable(args []string) bool { return slices.Equal(args, os.Args[1:]) }

// itself is this program once more, to measure.
func itself() (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(program, os.Args[1:]...)
	c.Args[0] = os.Args[0]
	c.Env = append(os.Environ(), measureVariable+"=1")
	return c, nil
}
