package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// ReadBench reads trials that WriteBench wrote. What the format does not
// carry (histograms, causes, order of the blocks) is missing, strings are as
// Printable makes them; the n-th line of
// a cell becomes its block n. A line that is no trial of ours, such as one that
// package testing wrote, is a Problem.
func ReadBench(r io.Reader, file string) (*Run, error) {
	bench := benchReader{run: &Run{}, file: Printable(file), lines: map[place]int{}}
	in := benchfmt.NewReader(r, file)
	for in.Scan() {
		switch record := in.Result().(type) {
		case *benchfmt.SyntaxError:
			bench.problem(record.Line, record.Msg)
		case *benchfmt.Result:
			if err := bench.add(record); err != nil {
				_, line := record.Pos()
				bench.problem(line, err.Error())
			}
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		bench.problem(0, "a line is too long: what follows it was not read")
	} else if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(bench.run.Trials) == 0 {
		return nil, foreign(file, bench.run.Problems)
	}
	bench.goTests()
	return bench.run, nil
}

// OfBench reports whether a trial of the run was read from the benchmark format.
func (r *Run) OfBench() bool {
	return slices.ContainsFunc(r.Trials, func(t Trial) bool {
		return slices.ContainsFunc(t.Warnings, func(w Warning) bool { return w.Code == WarnKept })
	})
}

// A benchReader takes benchmark lines into a run.
type benchReader struct {
	run   *Run
	file  string
	lines map[place]int
}

// A place is a cell on one machine.
type place struct {
	env  int
	cell Cell
}

func (b *benchReader) problem(line int, text string) {
	b.run.Problems = append(b.run.Problems, Problem{b.file, line, Printable(text)})
}

func (b *benchReader) add(record *benchfmt.Result) error {
	trial, procs, err := parseBenchName(string(record.Name))
	if err != nil {
		return err
	}
	if trial.Ops = record.Iters; trial.Ops < 1 {
		return fmt.Errorf("%d operations", trial.Ops)
	}
	if !original(record.Values, "ops/s").Known() {
		return errors.New("no ops/s: not a line that syncwrite wrote")
	}
	takeValues(&trial, record.Values)
	if trial.WallNS <= 0 {
		return errors.New("no ns/op")
	}
	trial.Warnings = []Warning{{WarnKept, "the trials were read from the benchmark format, which keeps neither blocks nor doubts: they are ranked and compared with nobody"}}
	trial = PrintableRecord(trial)
	env := PrintableRecord(benchEnv(record, procs))
	if env.Settings.Loop == GoTest { // GOMAXPROCS is the trial's, and no other machine
		trial.GOMAXPROCS, env.Machine.GOMAXPROCS = procs, 0
	}
	trial.Env = b.envOf(env)
	at := place{trial.Env, trial.Cell()}
	b.lines[at]++
	trial.Block = b.lines[at]
	b.run.Trials = append(b.run.Trials, trial)
	return b.run.describe(PrintableRecord(benchExperiment(record, trial)))
}

// envOf finds the env of the same machine, or adds it.
func (b *benchReader) envOf(e Env) int {
	for i, have := range b.run.Envs {
		x, y := have.Machine, e.Machine
		if x.GOOS == y.GOOS && x.GOARCH == y.GOARCH && x.CPU == y.CPU && x.GOMAXPROCS == y.GOMAXPROCS && have.Settings.Loop == e.Settings.Loop {
			return i
		}
	}
	b.run.Envs = append(b.run.Envs, e)
	return len(b.run.Envs) - 1
}

// goTests gives envs of go test what is their trials': GOMAXPROCS, and how often
// each benchmark ran.
func (b *benchReader) goTests() {
	for i := range b.run.Envs {
		e := &b.run.Envs[i]
		if e.Settings.Loop != GoTest {
			continue
		}
		trials := slices.DeleteFunc(slices.Clone(b.run.Trials), func(t Trial) bool { return t.Env != i })
		e.TakeProcs(trials)
		for _, t := range trials {
			e.Settings.Trials = max(e.Settings.Trials, t.Block)
		}
	}
}

// takeValues sets every metric, missing where the line has none.
func takeValues(t *Trial, values []benchfmt.Value) {
	t.Usage, t.Latency, t.Naive = MissingUsage(), missingLatency(), Naive{Missing(), Missing()}
	for _, m := range metrics {
		m.set(t, original(values, m.unit))
	}
	t.Started = t.Goroutines
}

// original finds a value under the unit it was written with: benchfmt turns
// ns into sec on reading.
func original(values []benchfmt.Value, unit string) Number {
	for _, v := range values {
		if v.OrigUnit == unit {
			return Number(v.OrigValue)
		}
		if v.OrigUnit == "" && v.Unit == unit {
			return Number(v.Value)
		}
	}
	return Missing()
}

func benchEnv(record *benchfmt.Result, procs int) Env {
	e := missingEnv()
	e.Format = Format
	e.Machine.GOOS, e.Machine.GOARCH = record.GetConfig("goos"), record.GetConfig("goarch")
	e.Machine.CPU, e.Machine.GOMAXPROCS = record.GetConfig("cpu"), procs
	e.Settings.Loop = record.GetConfig("loop")
	return e
}

func benchExperiment(record *benchfmt.Result, t Trial) Experiment {
	e := Experiment{Name: t.Experiment, Variants: []Variant{{Name: t.Variant, Promise: Promise{
		Order: record.GetConfig("order"), Result: record.GetConfig("result"), Survives: record.GetConfig("survives"),
	}}}}
	for _, name := range slices.Sorted(maps.Keys(t.Factors)) {
		e.Factors = append(e.Factors, Factor{Name: name})
	}
	return e
}
