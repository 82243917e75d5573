package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Writer writes records as JSON Lines, one write to the underlying writer a
// record, so that a crash of the program tears no finished one.
type Writer struct{ w io.Writer }

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write writes one record: an Env, Experiment, Trial, Outcome, Summary,
// Verdict (as VerdictRecord) or End.
func (w *Writer) Write(record any) error {
	line, err := encode(record)
	if err != nil {
		return err
	}
	if _, err := w.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// VerdictRecord is a Verdict with the name of its experiment.
type VerdictRecord struct {
	Experiment string `json:"experiment"`
	Verdict
}

// encode flattens the record behind its kind: {"record":"trial",…}.
func encode(record any) ([]byte, error) {
	kind, err := kindOf(record)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("encode %s record: %w", kind, err)
	}
	return append([]byte(`{"record":"`+kind+`",`), body[1:]...), nil
}

func kindOf(record any) (string, error) {
	switch record.(type) {
	case Env:
		return "env", nil
	case Experiment:
		return "experiment", nil
	case Trial:
		return "trial", nil
	case Outcome:
		return "outcome", nil
	case Summary:
		return "summary", nil
	case VerdictRecord:
		return "verdict", nil
	case End:
		return "end", nil
	}
	return "", fmt.Errorf("encode %T: not a record", record)
}

// ErrForeign says that a file holds no results.
var ErrForeign = errors.New("not a syncwrite results file")

// Read reads JSON Lines. A line that cannot be read becomes a Problem naming
// file and line; the rest is kept. A file whose first readable record is no
// env is foreign: ErrForeign.
func Read(r io.Reader, file string) (*Run, error) {
	run := &Run{}
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if problem := run.add(text, err == io.EOF); problem != nil {
				run.Problems = append(run.Problems, Problem{file, number, problem.Error()})
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	if len(run.Envs) == 0 {
		return nil, fmt.Errorf("read %s: %w", file, ErrForeign)
	}
	return run, nil
}

// add takes one line into the run. Summaries and verdicts are made again from
// the trials, so a reader need not trust them.
func (r *Run) add(line []byte, last bool) error {
	var head struct {
		Record string `json:"record"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		if last {
			return fmt.Errorf("line ends early: %w", err)
		}
		return err
	}
	switch head.Record {
	case "env":
		return r.addEnv(line)
	case "experiment":
		return decode(line, func(e Experiment) error { r.describe(e); return nil })
	case "trial":
		return decode(line, r.addTrial)
	case "outcome":
		return decode(line, func(o Outcome) error { r.Outcomes = append(r.Outcomes, o); return nil })
	case "end":
		return decode(line, func(e End) error { r.Ends = append(r.Ends, e); return nil })
	case "summary", "verdict":
		return nil
	}
	return fmt.Errorf("unknown record %q", head.Record)
}

func decode[T any](line []byte, take func(T) error) error {
	var record T
	if err := json.Unmarshal(line, &record); err != nil {
		return err
	}
	return take(record)
}

func (r *Run) addEnv(line []byte) error {
	return decode(line, func(e Env) error {
		if e.Format != Format {
			return fmt.Errorf("format %d: this program reads format %d", e.Format, Format)
		}
		r.Envs = append(r.Envs, e)
		return nil
	})
}

// addTrial refuses a trial that no arithmetic could use.
func (r *Run) addTrial(t Trial) error {
	switch {
	case len(r.Envs) == 0:
		return errors.New("trial before its env")
	case t.Experiment == "" || t.Variant == "":
		return errors.New("trial without experiment or variant")
	case t.Goroutines < 1:
		return fmt.Errorf("trial with %d goroutines", t.Goroutines)
	case t.WallNS <= 0 || t.Ops < 0:
		return fmt.Errorf("trial of %d operations in %d ns", t.Ops, t.WallNS)
	}
	t.Env = len(r.Envs) - 1
	r.Trials = append(r.Trials, t)
	return nil
}
