// Command foreign compares our append-only log with logs that are not written
// in Go, at equal durability, payload and number of threads, and shows what an
// acknowledged append of each survives.
//
//	go run ./foreign build
//	go run ./foreign
//	go run ./foreign survives
//
// Every log has a driver: a program that speaks the protocol of README.md. It
// is for goals, not for musts: it exits with 0 whatever the ratios are.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

const usage = `usage: foreign [flags]            measure, and print ours ÷ theirs cell by cell
       foreign survives [flags]   kill drivers and cut their power, and see what is left
       foreign build              build the drivers
       foreign ours none|always WORDS   be the driver of our own log
`

func main() { os.Exit(command(os.Args[1:])) }

// command returns 0, 1 after an error, or 2 after a wrong word.
func command(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := dispatch(ctx, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return 0
	}
	fmt.Fprintf(os.Stderr, "foreign: %v\n", err)
	if errors.Is(err, errUsage) {
		return 2
	}
	return 1
}

func dispatch(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "build":
			return buildCommand(ctx)
		case "survives":
			return survivesCommand(ctx, args[1:])
		case "ours":
			return oursCommand(args[1:])
		}
	}
	return tableCommand(ctx, args)
}

// errUsage marks words that nobody understands.
var errUsage = errors.New("try -help")

func wrongWords(format string, args ...any) error {
	return fmt.Errorf("%w: %w", fmt.Errorf(format, args...), errUsage)
}
