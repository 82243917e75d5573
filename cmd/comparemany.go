package cmd

import (
	"fmt"
	"io"
	"os"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// compareMany shows cells over several runs. Thresholds hold between the first and
// the last.
func compareMany(paths []string, f compareFlags) error {
	if _, err := f.parse(); err != nil {
		return err
	}
	write, known := historyFormats()[f.format]
	if !known {
		return exit.Usage(fmt.Errorf("--format %s: of several runs text or html can be written", f.format), "")
	}
	runs, unlike, err := f.readAlike(paths)
	if err != nil {
		return err
	}
	history := analysis.History(runs...)
	if err := f.judge(&history.Comparison, runs[0], runs[len(runs)-1]); err != nil {
		return err
	}
	history.Comparison.Unlike = unlike
	if f.output == "-" {
		err = write(os.Stdout, history)
	} else {
		err = writeFile(f.output, func(w io.Writer) error { return write(w, history) })
	}
	return exit.First(err, verdictOf(history.Comparison.Gates))
}

func historyFormats() map[string]func(io.Writer, *results.History) error {
	return map[string]func(io.Writer, *results.History) error{
		"text": func(w io.Writer, h *results.History) error { return report.HistoryText(w, h, textOptions(w, true)) },
		"html": report.HistoryHTML,
	}
}

// readAlike reads runs that may be compared, each with each, or says what lies
// between them.
func (f compareFlags) readAlike(paths []string) (runs []*results.Run, unlike []string, err error) {
	for i, path := range paths {
		run, err := readResults(path)
		if err != nil {
			return nil, nil, err
		}
		for j, before := range runs {
			for _, text := range analysis.Unlike(before, run) {
				if text = fmt.Sprintf("%s and %s: %s", paths[j], paths[i], text); !f.anyway {
					return nil, nil, notComparable(text, "--anyway compares them all the same")
				}
				unlike = append(unlike, text)
			}
		}
		runs = append(runs, run)
	}
	return runs, unlike, nil
}
