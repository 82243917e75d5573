package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// compareMany shows cells over several runs. Thresholds hold between the first and
// the last.
func compareMany(paths []string, f compareFlags) error {
	p, err := f.parse()
	if err != nil {
		return err
	}
	write, known := historyFormats()[f.format]
	if !known {
		return usage(fmt.Errorf("--format %s: of several runs text or html can be written", f.format), "")
	}
	runs, err := f.readAlike(paths)
	if err != nil {
		return err
	}
	history := analysis.History(runs...)
	if f.output == "-" {
		err = write(os.Stdout, history)
	} else {
		err = writeFile(f.output, func(w io.Writer) error { return write(w, history) })
	}
	if err != nil || p.drop == 0 && len(p.speedups) == 0 {
		return err
	}
	comparison, err := f.compare(runs[0], runs[len(runs)-1])
	if err != nil {
		return err
	}
	return verdictOf(comparison.Gates)
}

func historyFormats() map[string]func(io.Writer, *results.History) error {
	return map[string]func(io.Writer, *results.History) error{
		"text": func(w io.Writer, h *results.History) error { return report.HistoryText(w, h, textOptions(w, true)) },
		"html": report.HistoryHTML,
	}
}

// readAlike reads runs that may be compared with the first.
func (f compareFlags) readAlike(paths []string) ([]*results.Run, error) {
	var runs []*results.Run
	for i, path := range paths {
		run, err := readResults(path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
		if i == 0 || f.anyway {
			continue
		}
		if unlike := analysis.Unlike(runs[0], run); len(unlike) > 0 {
			return nil, &failure{exitIncomparable, fmt.Errorf("not comparable: %s and %s: %s", paths[0], path, strings.Join(unlike, "; ")), "--anyway compares them all the same"}
		}
	}
	return runs, nil
}
