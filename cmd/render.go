package cmd

import (
	"io"
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// A renderer writes a run, or what analysis made of it.
type renderer func(io.Writer, *results.Run, *results.Report) error

// formats are what --format and the ending of -o can name.
func formats() map[string]renderer {
	return map[string]renderer{
		"text":     func(w io.Writer, _ *results.Run, r *results.Report) error { return report.Text(w, r) },
		"markdown": func(w io.Writer, _ *results.Run, r *results.Report) error { return report.Markdown(w, r) },
		"bench":    func(w io.Writer, run *results.Run, _ *results.Report) error { return results.WriteBench(w, run) },
		"jsonl":    writeRun,
		"html":     func(w io.Writer, _ *results.Run, r *results.Report) error { return report.HTML(w, r) },
		"svg":      writeFigure,
	}
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats())) }

func checkFormat(name string) error {
	if _, known := formats()[name]; !known {
		return unknown("format", name, formatNames())
	}
	return nil
}

func render(w io.Writer, format string, run *results.Run, r *results.Report) error {
	return formats()[format](w, run, r)
}

// writeRun writes a run as JSON Lines, in the order in which a live run
// writes them. Trials follow their own env.
func writeRun(w io.Writer, run *results.Run, r *results.Report) error {
	out := results.NewWriter(w)
	for i, env := range run.Envs {
		if err := out.Write(env); err != nil {
			return err
		}
		if err := writeMeasured(out, run, i); err != nil {
			return err
		}
	}
	for _, finding := range r.Findings {
		if err := writeFinding(out, finding); err != nil {
			return err
		}
	}
	return nil
}

// writeMeasured writes what belongs to one env; experiments and outcomes,
// which name no env, stand with the first.
func writeMeasured(out *results.Writer, run *results.Run, env int) error {
	var records []any
	if env == 0 {
		for _, e := range run.Experiments {
			records = append(records, e)
		}
		for _, o := range run.Outcomes {
			records = append(records, o)
		}
	}
	for _, t := range run.Trials {
		if t.Env == env {
			records = append(records, t)
		}
	}
	if env < len(run.Ends) {
		records = append(records, run.Ends[env])
	}
	for _, record := range records {
		if err := out.Write(record); err != nil {
			return err
		}
	}
	return nil
}
