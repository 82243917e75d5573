package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

const tableHelp = `usage: rivals table [-o ROWS.jsonl] [-only EXPERIMENT,...] [RUN.jsonl ...]
       rivals table [-o ROWS.jsonl] [-only EXPERIMENT,...] [-time 220ms] [-trials 6] [-dir DIR]

table sets our logs against the best rival, cell by cell, and holds each cell to
what the project promises of it. It reads the runs that are named; without one
it measures first and keeps the runs. -only measures and judges a part.

Exit codes: 3 a must fails, 4 a cell with a must has no interval or was not measured.
`

// tableCommand is the verb table: it measures unless it is given runs, prints
// the table, and returns the exit code.
func tableCommand(args []string) int {
	var o tableOptions
	if err := o.parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Print(tableHelp)
		return 0
	} else if err != nil {
		return fail(exitUsage, err)
	}
	rows, code, err := o.rows(o.measure)
	if err == nil && len(rows) > 0 {
		err = errors.Join(o.write(rows), writeTable(os.Stdout, rows))
	}
	if err != nil {
		return fail(exitError, err)
	}
	if len(rows) == 0 {
		return code
	}
	return cmp.Or(verdict(os.Stderr, rows, len(o.only) > 0), code)
}

// rows judges the runs that are there, or measures, each cell in one run: to
// measure again what fails, and not what holds, would lend luck to one side only.
// Without rows, the exit code says why.
func (o *tableOptions) rows(measure measurement) (rows []row, code int, err error) {
	paths := o.runs
	if len(paths) == 0 {
		if paths, code = measure(newHome(), o.wanted()); len(paths) == 0 {
			return nil, code, nil
		}
	}
	rows, err = o.judge(paths)
	return rows, code, err
}

func (o *tableOptions) judge(paths []string) ([]row, error) {
	run, err := readRuns(paths)
	if err != nil {
		return nil, err
	}
	return judge(run, chosen(o.only)), nil
}

func (o *tableOptions) parse(args []string) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.output, "o", "", "file for the rows")
	flags.StringVar(&o.dir, "dir", "", "directory on the disk to measure")
	flags.DurationVar(&o.window, "time", 220*time.Millisecond, "mean length of a trial")
	flags.IntVar(&o.trials, "trials", 6, "blocks")
	flags.Func("only", "experiments", o.addOnly)
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.runs = flags.Args()
	return nil
}

func (o *tableOptions) addOnly(names string) error {
	for _, name := range strings.Split(names, ",") {
		if _, ok := trials.Experiment(name); !ok {
			return fmt.Errorf("unknown experiment %q", name)
		}
		o.only = append(o.only, name)
	}
	return nil
}

// readRuns reads the runs as one.
func readRuns(paths []string) (*results.Run, error) {
	run := &results.Run{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		one, err := results.Read(file, path)
		file.Close()
		if err != nil {
			return nil, err
		}
		run.Merge(one)
	}
	for _, p := range run.Problems {
		fmt.Fprintln(os.Stderr, "rivals: "+p.String())
	}
	return run, nil
}

// write keeps the rows that were measured as JSON Lines.
func (o *tableOptions) write(rows []row) error {
	if o.output == "" {
		return nil
	}
	var text strings.Builder
	for _, r := range rows {
		if r.Status == unmeasured {
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return os.WriteFile(o.output, []byte(text.String()), 0o666)
}

// writeTable prints the rows that were measured, under the question they are of.
func writeTable(w io.Writer, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "question\tcell\tours\tours/s\tmax÷min\trival\trival/s\tratio\t95 %\tmust\tgoal\tmust holds")
	above := ""
	for _, r := range rows {
		if r.Status == unmeasured {
			continue
		}
		question := r.Question
		if question == above {
			question = ""
		}
		above = r.Question
		fmt.Fprintln(t, strings.Join([]string{
			question, r.cell.name(), r.Own, r.Ours.Median.Rate(), r.Spread.Three(),
			r.cell.divisor(r.Rival), r.Best.Median.Rate(), r.Ratio.Median.Three(), r.bounds(),
			times(r.Must), times(r.Goal), r.Status,
		}, "\t"))
	}
	return t.Flush()
}

// bounds is the interval of the ratio, and what it is if not one at 95 %.
func (r row) bounds() string {
	text := r.Ratio.Low.Three() + "–" + r.Ratio.High.Three()
	if r.Interval == ranged {
		text += fmt.Sprintf(" (range of %d)", r.Blocks)
	}
	return text
}

func times(mark float64) string {
	if mark == 0 {
		return "–"
	}
	return results.Number(mark).Three()
}
