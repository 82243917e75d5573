package results

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// ReadBench reads trials that WriteBench wrote. What the format does not
// carry (histograms, causes, order of the blocks) is missing; the n-th line of
// a cell becomes its block n. A line that is no trial of ours is a Problem.
func ReadBench(r io.Reader, file string) (*Run, error) {
	run := &Run{}
	blocks := map[Cell]int{}
	in := benchfmt.NewReader(r, file)
	for in.Scan() {
		switch record := in.Result().(type) {
		case *benchfmt.SyntaxError:
			run.Problems = append(run.Problems, Problem{file, record.Line, record.Msg})
		case *benchfmt.Result:
			if err := run.addBench(record, blocks); err != nil {
				_, line := record.Pos()
				run.Problems = append(run.Problems, Problem{file, line, err.Error()})
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(run.Trials) == 0 {
		return nil, fmt.Errorf("read %s: %w", file, ErrForeign)
	}
	return run, nil
}

func (r *Run) addBench(record *benchfmt.Result, blocks map[Cell]int) error {
	trial, procs, err := parseBenchName(string(record.Name))
	if err != nil {
		return err
	}
	trial.Ops = record.Iters
	if trial.Ops < 1 {
		return fmt.Errorf("%d operations", trial.Ops)
	}
	takeValues(&trial, record.Values)
	if trial.WallNS <= 0 {
		return fmt.Errorf("no ns/op")
	}
	blocks[trial.Cell()]++
	trial.Block = blocks[trial.Cell()]
	if len(r.Envs) == 0 {
		r.Envs = []Env{benchEnv(record, procs)}
	}
	r.describe(benchExperiment(record, trial))
	r.Trials = append(r.Trials, trial)
	return nil
}

// takeValues sets every metric, missing where the line has none.
func takeValues(t *Trial, values []benchfmt.Value) {
	t.Usage = MissingUsage()
	t.Latency = Latency{ChunkNS: Missing()}
	t.Naive = Naive{Missing(), Missing()}
	for _, m := range metrics {
		m.set(t, original(values, m.unit))
	}
	if t.GoroutineNS <= 0 {
		t.GoroutineNS = 0
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
	return Env{
		Format: Format, LoadBefore: Missing(),
		Overhead: Overhead{Missing(), Missing(), Missing()},
		Machine: Machine{
			GOOS: record.GetConfig("goos"), GOARCH: record.GetConfig("goarch"),
			CPU: record.GetConfig("cpu"), GOMAXPROCS: procs, CPUQuota: Missing(),
		},
	}
}

func benchExperiment(record *benchfmt.Result, t Trial) Experiment {
	e := Experiment{Name: t.Experiment, Variants: []Variant{{Name: t.Variant, Promise: Promise{
		Order: record.GetConfig("order"), Result: record.GetConfig("result"), Survives: record.GetConfig("survives"),
	}}}}
	for name := range t.Factors {
		e.Factors = append(e.Factors, Factor{Name: name})
	}
	return e
}

// parseBenchName reads Log/variant=file/payload=3/goroutines=8-2.
func parseBenchName(name string) (t Trial, procs int, err error) {
	name, procs = splitProcs(name)
	parts := strings.Split(name, "/")
	t.Experiment = dashed(parts[0])
	for _, part := range parts[1:] {
		key, level, ok := strings.Cut(part, "=")
		if !ok {
			return t, 0, fmt.Errorf("benchmark %s: %q is not name=level", name, part)
		}
		switch key {
		case "variant":
			t.Variant = level
		case "goroutines":
			t.Goroutines, err = strconv.Atoi(level)
		default:
			if t.Factors == nil {
				t.Factors = map[string]string{}
			}
			t.Factors[key] = level
		}
	}
	if err != nil || t.Variant == "" || t.Goroutines < 1 {
		return t, 0, fmt.Errorf("benchmark %s: no variant= or goroutines= in its name", name)
	}
	return t, procs, nil
}

// splitProcs takes the GOMAXPROCS suffix off; without one it is 1.
func splitProcs(name string) (string, int) {
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return name, 1
	}
	procs, err := strconv.Atoi(name[at+1:])
	if err != nil {
		return name, 1
	}
	return name[:at], procs
}
