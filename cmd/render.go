package cmd

import (
	"io"
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// A renderer writes a run, or what analysis made of it; verbose matters to text
// alone.
type renderer func(w io.Writer, run *results.Run, r *results.Report, verbose bool) error

// formats are what --format and the ending of -o can name.
func formats() map[string]renderer {
	return map[string]renderer{
		"text": func(w io.Writer, _ *results.Run, r *results.Report, verbose bool) error {
			return report.Text(w, r, textOptions(w, verbose))
		},
		"markdown": func(w io.Writer, _ *results.Run, r *results.Report, _ bool) error { return report.Markdown(w, r) },
		"bench": func(w io.Writer, run *results.Run, _ *results.Report, _ bool) error {
			return results.WriteBench(w, run)
		},
		"jsonl": func(w io.Writer, run *results.Run, r *results.Report, _ bool) error { return writeRun(w, run, r) },
		"html":  func(w io.Writer, _ *results.Run, r *results.Report, _ bool) error { return report.HTML(w, r) },
		"hgrm":  func(w io.Writer, _ *results.Run, r *results.Report, _ bool) error { return writeDistribution(w, r) },
		"svg":   func(w io.Writer, _ *results.Run, r *results.Report, _ bool) error { return writeFigure(w, r) },
	}
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats())) }

func checkFormat(name string) error {
	if _, known := formats()[name]; !known {
		return exit.Unknown("format", name, formatNames())
	}
	return nil
}

func render(w io.Writer, format string, run *results.Run, r *results.Report, verbose bool) error {
	return formats()[format](w, run, r, verbose)
}

// writeRun writes a run and what analysis made of it as JSON Lines.
func writeRun(w io.Writer, run *results.Run, r *results.Report) error {
	return exit.First(results.Write(w, run), results.NewWriter(w).WriteFindings(r.Findings))
}
