package exit

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/results"
)

// Exit codes of the command.
const (
	Error        = 1
	WrongUsage   = 2
	Threshold    = 3
	Inconclusive = 4
	Incomparable = 5
	Interrupted  = 130
)

// A Failure is an error with the exit code it leads to and, where one helps,
// a hint for a line of its own.
type Failure struct {
	Code int
	err  error
	hint string
}

func (f *Failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.Code)
	}
	return f.err.Error()
}

func (f *Failure) Unwrap() error { return f.err }

// Usage is a failure of the caller's words: exit code 2.
func Usage(err error, hint string) error { return With(WrongUsage, err, hint) }

// With is an error that leads to an exit code. Without an error somebody else
// has told.
func With(code int, err error, hint string) error { return &Failure{code, err, hint} }

// Code tells the error in one line, with its hint, and returns its code.
func Code(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var f *Failure
	if errors.As(err, &f) && f.err == nil {
		return f.Code // somebody else has told
	}
	if errors.Is(err, context.Canceled) {
		Say(stderr, "interrupted; finished trials are kept")
		return Interrupted
	}
	Say(stderr, err.Error())
	if !errors.As(err, &f) {
		return Error
	}
	if f.hint != "" {
		fmt.Fprintln(stderr, "  "+results.OneLine(f.hint))
	}
	return f.Code
}

// Say writes one line of words, which can hold what comes from a file or an
// argument.
func Say(stderr io.Writer, text string) { fmt.Fprintln(stderr, "syncwrite: "+results.OneLine(text)) }

// First is the first of errors that is one.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
