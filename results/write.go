package results

import "io"

// Write writes a run as JSON Lines, in the order in which a live run writes them,
// so that Read gives it back. Trials follow their own env. What could not be read
// is not written: Problems are lost.
func Write(w io.Writer, run *Run) error {
	out := NewWriter(w)
	for i, env := range run.Envs {
		if err := out.Write(env); err != nil {
			return err
		}
		if err := out.measured(run, i); err != nil {
			return err
		}
	}
	return nil
}

// measured writes what belongs to one env; experiments, which belong to none, stand
// with the first.
func (w *Writer) measured(run *Run, env int) error {
	var records []any
	if env == 0 {
		for _, e := range run.Experiments {
			records = append(records, e)
		}
	}
	for _, o := range run.Outcomes {
		if max(o.Env, 0) == env {
			records = append(records, o)
		}
	}
	for _, t := range run.Trials {
		if t.Env == env {
			records = append(records, t)
		}
	}
	for _, b := range run.Breakdowns {
		if b.Env == env {
			records = append(records, b)
		}
	}
	if end, ended := EndOf(run.Ends, env); ended {
		records = append(records, end)
	}
	for _, record := range records {
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return nil
}

// WriteFindings writes what analysis made of a run: summaries and verdicts. Read
// makes them again from the trials; other programs read them.
func (w *Writer) WriteFindings(all []Finding) error {
	for _, f := range all {
		for _, s := range f.Summaries {
			if err := w.Write(s); err != nil {
				return err
			}
		}
		if err := w.Write(VerdictRecord{Experiment: f.Experiment.Name, Verdict: f.Verdict}); err != nil {
			return err
		}
	}
	return nil
}
