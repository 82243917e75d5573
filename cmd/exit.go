package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
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
		fmt.Fprintln(stderr, "syncwrite: interrupted; finished trials are kept")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "syncwrite: "+oneLine(err.Error()))
	if !errors.As(err, &f) {
		return exitError
	}
	if f.hint != "" {
		fmt.Fprintln(stderr, "  "+f.hint)
	}
	return f.code
}

func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
