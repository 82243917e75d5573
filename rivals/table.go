package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/results"
)

// Exit codes, as the syncwrite command has them.
const (
	exitError        = 1
	exitUsage        = 2
	exitThreshold    = 3
	exitInconclusive = 4
)

const tableHelp = `usage: rivals table [-o ROWS.jsonl] [RUN.jsonl ...]
       rivals table [-o ROWS.jsonl] [flags of run]

table sets our log against the best rival of equal promise, cell by cell. It
reads the runs that are named; without one it measures rival-log first, with
windows of 220 ms, which takes about six minutes, and keeps the run.

Exit codes: 3 a must fails, 4 a cell has no interval.
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
	if len(o.runs) == 0 {
		path, code := o.measure()
		if code != 0 {
			return code
		}
		o.runs = []string{path}
	}
	run, err := readRuns(o.runs)
	if err != nil {
		return fail(exitError, err)
	}
	rows := judge(run)
	err = errors.Join(o.write(rows), writeTable(os.Stdout, rows))
	if err != nil {
		return fail(exitError, err)
	}
	return verdict(os.Stderr, rows)
}

func fail(code int, err error) int {
	fmt.Fprintf(os.Stderr, "rivals: table: %v\n", err)
	return code
}

// tableOptions are the words of the verb.
type tableOptions struct {
	output, g, payload, dir string
	window                  time.Duration
	trials                  int
	runs                    []string
}

func (o *tableOptions) parse(args []string) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.output, "o", "", "file for the rows")
	flags.StringVar(&o.g, "g", "", "levels of N")
	flags.StringVar(&o.payload, "payload", "3,1024", "bytes of a value")
	flags.StringVar(&o.dir, "dir", "", "directory on the disk to measure")
	flags.DurationVar(&o.window, "time", 220*time.Millisecond, "mean length of a trial")
	flags.IntVar(&o.trials, "trials", 6, "blocks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.runs = flags.Args()
	return nil
}

// measure runs rival-log as the verb run does and returns where the run is.
func (o *tableOptions) measure() (path string, code int) {
	home := filepath.Join("syncwrite-results", time.Now().UTC().Format("20060102T150405Z")+"-rivals")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return "", fail(exitError, err)
	}
	path = filepath.Join(home, "run.jsonl")
	args := []string{"run", "rival-log", "-p", "payload=" + o.payload, "--time", o.window.String(),
		"--trials", fmt.Sprint(o.trials), "-o", path, "--report", filepath.Join(home, "report.html")}
	for name, value := range map[string]string{"-g": o.g, "--dir": o.dir} {
		if value != "" {
			args = append(args, name, value)
		}
	}
	return path, cmd.Main(catalogue(), args)
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

// write keeps the rows as JSON Lines.
func (o *tableOptions) write(rows []row) error {
	if o.output == "" {
		return nil
	}
	var text strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return os.WriteFile(o.output, []byte(text.String()), 0o666)
}

func writeTable(w io.Writer, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "survives\tpayload\tN\tours/s\tbest/s\tbest rival\tours ÷ best\t95 %\tmust\tgoal\tmust holds")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d B\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Survives, r.Payload, r.Goroutines,
			r.Ours.Median.Rate(), r.Best.Median.Rate(), cmp.Or(r.Rival, "–"), r.Ratio.Median.Three(),
			r.Ratio.Low.Three()+"–"+r.Ratio.High.Three(), times(r.Must), times(r.Goal), r.Status)
	}
	return t.Flush()
}

func times(mark float64) string {
	if mark == 0 {
		return "–"
	}
	return results.Number(mark).Three()
}

func compareCells(a, b cell) int {
	return cmp.Or(cmp.Compare(a.survives, b.survives), cmp.Compare(a.payload, b.payload), cmp.Compare(a.n, b.n))
}

// verdict names every cell that is below its must, or that nothing can be said
// of, and what was not compared at all. It returns the exit code.
func verdict(w io.Writer, rows []row) int {
	below, unknown := 0, 0
	for _, r := range rows {
		switch r.Status {
		case failed:
			below++
			fmt.Fprintf(w, "rivals: below its must: %v: %s times %s, must be %s\n", r.cell(), ratioText(r.Ratio), r.Rival, times(r.Must))
		case unseen:
			unknown++
			fmt.Fprintf(w, "rivals: no interval: %v\n", r.cell())
		}
		if len(r.Missing) > 0 && r.Rival != "" {
			fmt.Fprintf(w, "rivals: not measured: %v: %s\n", r.cell(), strings.Join(r.Missing, ", "))
		}
	}
	fmt.Fprintf(w, "rivals: %d of %d cells below their must\n", below, len(rows))
	switch {
	case below > 0:
		return exitThreshold
	case unknown > 0:
		return exitInconclusive
	}
	return 0
}

func ratioText(i results.Interval) string {
	return fmt.Sprintf("%s (%s–%s)", i.Median.Three(), i.Low.Three(), i.High.Three())
}
