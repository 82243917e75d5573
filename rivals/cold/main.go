// Command cold sets our log against other people's with nothing warmed: each trial is
// a process of its own that opens a directory of its own, and appends, or reads, for a
// second at least. It prints the ratios, paired by block, and holds them to what the
// project promises.
//
//	go run ./cold -o ../published/cold/2026-11-29.txt
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const help = `usage: cold [-blocks 8] [-window 1s] [-only CELL,...] [-dir DIR] [-o TABLE]

cold measures our log beside other people's, each trial in a fresh process and a
fresh directory. -only takes the beginnings of cells' names. It exits with 3 if a
must fails.
`

// Exit codes, as syncwrite has them.
const (
	exitError = 1
	exitUsage = 2
	exitMust  = 3
)

type options struct {
	blocks int
	window time.Duration
	only   string
	dir    string
	output string
	trial  string // of a child: what it measures, as JSON
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var o options
	flags := flag.NewFlagSet("cold", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&o.blocks, "blocks", 8, "trials of each cell and log")
	flags.DurationVar(&o.window, "window", time.Second, "how long a trial lasts")
	flags.StringVar(&o.only, "only", "", "beginnings of cells' names")
	flags.StringVar(&o.dir, "dir", "", "directory on the disk to measure")
	flags.StringVar(&o.output, "o", "", "file for the table")
	flags.StringVar(&o.trial, "trial", "", "one trial, in this process")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(help)
		return 0
	case err != nil:
		return fail(exitUsage, err)
	case o.trial != "":
		return o.child()
	}
	if len(chosen(o.only)) == 0 {
		return fail(exitUsage, fmt.Errorf("no cell's name begins with %q", o.only))
	}
	rows, err := o.measure()
	if err != nil {
		return fail(exitError, err)
	}
	text := table(rows, o)
	fmt.Print(text)
	if o.output != "" {
		if err := os.WriteFile(o.output, []byte(text), 0o666); err != nil {
			return fail(exitError, err)
		}
	}
	var failed []string
	for _, r := range rows {
		if r.verdict() == fails {
			failed = append(failed, r.cell.Name)
		}
	}
	if len(failed) > 0 {
		return fail(exitMust, fmt.Errorf("musts that fail: %s", strings.Join(failed, "; ")))
	}
	return 0
}

func fail(code int, err error) int {
	fmt.Fprintln(os.Stderr, "cold:", err)
	return code
}

// child measures one trial and prints what it found.
func (o options) child() int {
	var t trial
	if err := json.Unmarshal([]byte(o.trial), &t); err != nil {
		return fail(exitUsage, err)
	}
	got, err := t.run()
	if err != nil {
		return fail(exitError, err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(got); err != nil {
		return fail(exitError, err)
	}
	return 0
}
