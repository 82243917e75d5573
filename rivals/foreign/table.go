package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// tableCommand measures, writes the trials and the rows where -o says, and
// prints the table.
func tableCommand(ctx context.Context, args []string) error {
	m, path, err := tableWords(args)
	if err != nil {
		return err
	}
	out, err := record(path)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	if err := lines.Encode(m.plan()); err != nil {
		return errors.Join(err, out.Close())
	}
	var trials []trial
	err = m.run(ctx, func(t trial) error {
		trials = append(trials, t)
		return lines.Encode(t)
	})
	rows := judge(trials, m.drivers)
	for _, r := range rows {
		err = errors.Join(err, lines.Encode(r))
	}
	return errors.Join(err, out.Close(), writeTable(os.Stdout, rows))
}

// tableWords are the flags of the table.
func tableWords(args []string) (m measurement, path string, err error) {
	flags := flag.NewFlagSet("foreign", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	rivals := flags.String("rivals", "", "rivals, joined by commas; all without it")
	payloads := flags.String("payload", "3,1024", "bytes of a value")
	levels := flags.String("g", "1,2,8,64", "levels of N")
	flags.StringVar(&path, "o", "", "file for trials and rows")
	flags.StringVar(&m.dir, "dir", ".", "directory on the disk to measure")
	flags.DurationVar(&m.window, "time", 400*time.Millisecond, "length of a window")
	flags.IntVar(&m.blocks, "trials", 6, "blocks")
	flags.Uint64Var(&m.seed, "seed", uint64(time.Now().UnixNano()), "of the blocks' order")
	if err := parse(flags, args); err != nil {
		return m, path, err
	}
	if m.payloads, err = numbers(*payloads); err != nil {
		return m, path, err
	}
	if m.levels, err = numbers(*levels); err != nil {
		return m, path, err
	}
	m.home, m.drivers, err = here(*rivals)
	return m, path, err
}

// here is the home and which of the drivers can run.
func here(names string) (home, []driver, error) {
	some, err := choose(names)
	if err != nil {
		return "", nil, err
	}
	h, err := findHome()
	return h, present(h, some), err
}

// parse takes flags, and no other words.
func parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unknown word %q", flags.Arg(0))
	}
	if err != nil {
		return wrongWords("%w", err)
	}
	return nil
}

// numbers reads levels above 0, joined by commas.
func numbers(list string) ([]int, error) {
	var all []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, wrongWords("level %q: not a whole number above 0", word)
		}
		all = append(all, n)
	}
	return all, nil
}

func writeTable(w io.Writer, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "survives\tpayload\tN\tours/s\ttheirs/s\trival\tours ÷ theirs\t95 %\tgoal\tstatus")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d B\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Survives, r.Payload, r.Threads,
			r.Ours.Median.Rate(), r.Theirs.Median.Rate(), r.Rival, r.Ratio.Median.Three(),
			r.Ratio.Low.Three()+"–"+r.Ratio.High.Three(), goalText(r.Goal), r.Status)
	}
	return t.Flush()
}

// goalText says what a goal of 1 is: to be ahead.
func goalText(goal float64) string {
	if goal == 1 {
		return "ahead"
	}
	return strconv.FormatFloat(goal, 'g', 3, 64) + " times"
}
