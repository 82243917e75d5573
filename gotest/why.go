package gotest

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/cause/traced"
	"github.com/syncwrite/syncwrite/results"
)

// why runs the benchmarks once more, with each parallel one's last window traced, and reads
// where the goroutines' time went. What those tests print is nobody's: they are no trials.
func (r *runner) why(ctx context.Context, o Outcome, goes toolchain, args []string) ([]results.Breakdown, error) {
	side, traces := filepath.Join(r.work, "whyside"), filepath.Join(r.work, "traces")
	for _, dir := range []string{side, traces} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	again := *r
	again.again, again.Stdin, again.Stderr = true, nil, io.Discard
	env := slices.Concat(goes.env, r.telling(side), []string{whyVariable + "=" + traces})
	if _, err := again.test(ctx, goes.command, append(slices.Clone(args), r.args.once(goes.goflags)...), env, io.Discard); err != nil || ctx.Err() != nil {
		return nil, err
	}
	told, err := ReadTrials(side)
	if err != nil {
		return nil, err
	}
	return breakdowns(o, told, traces), nil
}

// Writes is the first of the arguments with which go test writes a profile or a trace, which a
// second run would write over; empty without one.
func Writes(args []string) string {
	given, _ := partArguments(args)
	for _, f := range given {
		if flagKinds[f.name] == isFile {
			return f.text()
		}
	}
	return ""
}

// once are the arguments with which each benchmark runs once, and as long as a trace is
// worth; a number of operations that was asked for stays.
func (a arguments) once(goflags string) []string {
	ours := []string{"-run=^$", "-count=1"}
	if !strings.HasSuffix(a.asked("benchtime", goflags), "x") {
		ours = append(ours, "-benchtime=300ms")
	}
	i := slices.IndexFunc(a.rest, endsFlags)
	if i < 0 {
		i = len(a.rest)
	}
	return slices.Concat(a.rest[:i:i], ours, a.rest[i:])
}

// breakdowns are those of the benchmarks that have trials, one of each cell.
func breakdowns(o Outcome, told Told, dir string) (all []results.Breakdown) {
	_, trials := o.Results()
	_, again := Outcome{Trials: told.Trials, Count: 1}.Results()
	seen := map[results.Cell]bool{}
	for _, t := range trials {
		of := o.parallel(t)
		if seen[t.Cell()] || of < 0 {
			continue
		}
		seen[t.Cell()] = true
		b := results.Breakdown{Source: results.SourceTrace, Experiment: t.Experiment, Variant: t.Variant, Factors: t.Factors, Goroutines: t.Goroutines, OpsPerS: results.Missing()}
		if i := slices.IndexFunc(again, func(o results.Trial) bool { return o.Cell() == t.Cell() }); i >= 0 {
			b.OpsPerS = results.Number(again[i].OpsPerS())
		}
		if err := read(&b, told, dir, o.Trials[of]); err != nil {
			b.Reason = results.OneLine(err.Error())
		}
		all = append(all, b)
	}
	return all
}

// parallel is the index of a trial, of a parallel benchmark, that a result is of; -1 for none.
func (o Outcome) parallel(t results.Trial) int {
	return slices.IndexFunc(o.Trials, func(of Trial) bool {
		return of.Goroutines > 0 && of.Package == t.Experiment && of.variant() == t.Variant && of.Procs == t.GOMAXPROCS
	})
}

// read reads the trace of a benchmark.
func read(b *results.Breakdown, told Told, dir string, t Trial) error {
	i := slices.IndexFunc(told.traces, func(o trace) bool { return o.repeated == t.repetitionOf() })
	switch {
	case i < 0:
		return errors.New("its second run, which is traced, failed or did not come to it")
	case t.repeated():
		return errors.New("it called RunParallel more than once, and a trace has the last call alone")
	case told.traces[i].toggled:
		return errors.New("its timer was stopped or reset amid RunParallel, and a trace has all that was done")
	}
	file, err := os.Open(filepath.Join(dir, filepath.Base(told.traces[i].file)))
	if err != nil {
		return errors.New("no trace was written: it may be traced already")
	}
	defer file.Close()
	found, err := traced.Read(file)
	if err != nil {
		return err
	}
	b.WindowNS, b.TimeNS, b.Parts = found.Window.Nanoseconds(), found.Time.Nanoseconds(), found.Told()
	return nil
}
