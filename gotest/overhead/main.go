// Command overhead measures what syncwrite test costs, against go test on the
// same benchmarks:
//
//	go run ./gotest/overhead build DIR     build the test binaries of 20 layouts of code, with and without
//	go run ./gotest/overhead measure DIR   the cost of Next and of an operation of 20 ns, latencies, sums
//	go run ./gotest/overhead start         what the first run and later ones take longer
//
// Nothing else may run while it measures. When not to use it: from tests, since
// its figures are the machine's.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "build":
		return build(ctx, args[1])
	case len(args) == 2 && args[0] == "measure":
		return measure(ctx, args[1])
	case len(args) == 1 && args[0] == "start":
		return start(ctx)
	}
	return fmt.Errorf("usage: overhead build DIR | measure DIR | start")
}
