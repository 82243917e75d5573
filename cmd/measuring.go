package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// measureVariable tells a process that it measures for the one that started it,
// whose number it holds and whose arguments it has.
const measureVariable = "SYNCWRITE_MEASURE"

// measuring reports whether this process was started to measure for another. It is an
// error if that is not its parent: then it is gone, and nobody would take the results.
func measuring() (bool, error) {
	text, set := os.LookupEnv(measureVariable)
	if !set {
		return false, nil
	}
	if text != strconv.Itoa(os.Getppid()) {
		return false, fmt.Errorf("%s=%s: this is not a process that %s started to measure", measureVariable, text, text)
	}
	return true, os.Unsetenv(measureVariable) // what it starts itself is none
}

// measuresForOther reports, before measuring is asked, whether this process may be a child that measures.
func measuresForOther() bool {
	_, set := os.LookupEnv(measureVariable)
	return set
}

// measureForOther measures what the other process orders.
func measureForOther(ctx context.Context, config harness.Config, stderr io.Writer, experiments []harness.Experiment) error {
	in, out, err := takeStdio()
	if err != nil {
		return err
	}
	config.Record = func(record any) error { showStacks(stderr, record); return nil }
	return harness.Measure(ctx, config, in, out, experiments...)
}

// measure measures in processes of their own, where this program can start
// itself again, so that a trial that is stuck costs one of them and not the run.
func measure(ctx context.Context, config harness.Config, again bool, stderr io.Writer, experiments []harness.Experiment) (*results.Run, error) {
	if again {
		run, err := harness.RunApart(ctx, config, itself, experiments...)
		if run != nil || !errors.Is(err, harness.ErrNotMeasuring) {
			return run, err
		}
		exit.Say(stderr, err.Error()+": what is stuck will stay beside the other trials")
	}
	config.BlocksApart = false
	keep := config.Record
	config.Record = func(record any) error { showStacks(stderr, record); return keep(record) }
	return harness.Run(ctx, config, experiments...)
}

// showStacks shows what the goroutines of a failed trial were at.
func showStacks(stderr io.Writer, record any) {
	if o, is := record.(results.Outcome); is && o.Dump != nil {
		exit.Say(stderr, fmt.Sprintf("goroutines of %s/%s at N = %d:", o.Experiment, o.Variant, o.Goroutines))
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
	path, err := program()
	if err != nil {
		return nil, err
	}
	c := measuringProgram(path, os.Args[1:])
	c.Args[0] = os.Args[0]
	return c, nil
}

// measuringProgram is a program that measures for this one.
func measuringProgram(path string, args []string) *exec.Cmd {
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), measureVariable+"="+strconv.Itoa(os.Getpid()))
	return c
}
