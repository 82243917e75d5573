package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/results"
)

// Exit codes of the command.
const (
	exitError        = 1
	exitUsage        = 2
	exitThreshold    = 3
	exitInconclusive = 4
	exitIncomparable = 5
	exitInterrupted  = 130
)

// A failure is an error with the exit code it leads to and, where one helps,
// a hint for a line of its own.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}
func (f *failure) Unwrap() error { return f.err }

// usage is a failure of the caller's words: exit code 2.
func usage(err error, hint string) error { return &failure{exitUsage, err, hint} }

// exitCode tells the error in one line, with its hint, and returns its code.
func exitCode(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var f *failure
	if errors.As(err, &f) && f.err == nil {
		return f.code // somebody else has told
	}
	if errors.Is(err, context.Canceled) {
		say(stderr, "interrupted; finished trials are kept")
		return exitInterrupted
	}
	say(stderr, err.Error())
	if !errors.As(err, &f) {
		return exitError
	}
	if f.hint != "" {
		fmt.Fprintln(stderr, "  "+results.OneLine(f.hint))
	}
	return f.code
}

// say writes one line of words, which can hold what comes from a file or an
// argument.
func say(stderr io.Writer, text string) { fmt.Fprintln(stderr, "syncwrite: "+results.OneLine(text)) }
