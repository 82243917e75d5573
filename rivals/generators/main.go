package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generators:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("generators", flag.ExitOnError)
	blocks := flags.Int("blocks", 6, "how often each tool runs flat out")
	seconds := flags.Int("seconds", 4, "how long each run takes")
	stall := flags.Int("stall", 20, "how long each tool asks the server that stalls, in seconds")
	output := flags.String("o", "", "Markdown to write (default: stdout)")
	serves := flags.Bool("serve", false, "be the server")
	flags.Parse(args)
	if *serves {
		return serve()
	}
	dir, err := os.MkdirTemp("", "generators-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "..", "-o", filepath.Join(dir, "syncwrite"), "./cmd/syncwrite").CombinedOutput(); err != nil {
		return fmt.Errorf("build syncwrite: %w: %s", err, out)
	}
	server, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer server.stop()
	there, absent := found(tools(dir))
	r := report{absent: absent, blocks: *blocks, seconds: *seconds, stalled: *stall}
	for block := range *blocks {
		for _, tool := range inTurn(there, block) {
			j := job{dir: dir, url: server.url + "/", users: users, duration: time.Duration(*seconds) * time.Second}
			if err := r.measure(ctx, server, tool, j); err != nil {
				return err
			}
			if j.rate = pacedRate; tool.paced {
				if err := r.measure(ctx, server, tool, j); err != nil {
					return err
				}
			}
		}
	}
	for _, tool := range there {
		quantiles, err := server.stall(ctx, tool, job{dir: dir, url: server.url + "/stall", users: users, duration: time.Duration(*stall) * time.Second, rate: stallRate})
		if err != nil {
			return err
		}
		r.stall(tool.name, quantiles)
	}
	var to io.Writer = os.Stdout
	if *output != "" {
		file, err := os.Create(*output)
		if err != nil {
			return err
		}
		defer file.Close()
		to = file
	}
	return r.write(to, there)
}

const (
	users     = 50
	stallRate = 500 // requests a second
	pacedRate = 50_000
)

// inTurn begins each block with another tool.
func inTurn(all []tool, block int) []tool {
	at := block % len(all)
	return append(append([]tool(nil), all[at:]...), all[:at]...)
}
