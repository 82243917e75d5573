package main

import (
	"fmt"
	"os"
	"time"
)

// Exit codes, as the syncwrite command has them.
const (
	exitError        = 1
	exitUsage        = 2
	exitThreshold    = 3
	exitInconclusive = 4
)

func fail(code int, err error) int {
	fmt.Fprintf(os.Stderr, "rivals: table: %v\n", err)
	return code
}

// tableOptions are the words of the verb.
type tableOptions struct {
	output, dir string
	only        []string // experiments; empty: all
	window      time.Duration
	trials      int
	runs        []string
}

// exitInterrupted is the exit code of a run that Ctrl-C ended.
const exitInterrupted = 130
