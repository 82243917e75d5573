package cmd

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// compareFlags are the thresholds and the way a comparison is written.
type compareFlags struct {
	failAbove  string
	minSpeedup []string
	anyway     bool
	format     string
	output     string
}

func compareCommand() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare OLD.jsonl [...] NEW.jsonl",
		Short: "Tell what changed between two runs, and whether it matters",
		Long: `compare sets the cells of two runs against each other, worst first, and calls
each better, worse, same or one it cannot tell. Runs on different machines, of
different workloads or promises are refused (exit code 5). Of more than two runs
every cell is shown over all of them; calls are of the first and the last.

Exit codes: 3 a threshold failed, 4 the trials cannot tell whether one holds.`,
		Example: `  syncwrite compare old.jsonl new.jsonl --fail-above 5%
  syncwrite compare old.jsonl new.jsonl --min-speedup 'log/file@8>=1.5' --format junit`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return usage(fmt.Errorf("compare: %d results files named, want the old and the new one", len(args)), "")
			case len(args) > 2:
				return compareMany(args, f)
			}
			return compareFiles(args[0], args[1], f)
		},
	}
	f.thresholds(c)
	c.Flags().BoolVar(&f.anyway, "anyway", false, "compare what is not comparable, with a warning")
	c.Flags().StringVar(&f.format, "format", "text", "what is written: text, markdown, html, junit")
	c.Flags().StringVarP(&f.output, "output", "o", "-", "file to write")
	completes(c, "format", completeWords(slices.Sorted(maps.Keys(comparisonFormats()))))
	return c
}

// thresholds are the flags that run shares with compare.
func (f *compareFlags) thresholds(c *cobra.Command) {
	c.Flags().StringVar(&f.failAbove, "fail-above", "", "exit 3 if a cell is certainly slower by more than this: 5%")
	c.Flags().StringArrayVar(&f.minSpeedup, "min-speedup", nil, "exit 3 if a cell certainly scales less: 'log/file@8>=1.5'")
}

func compareFiles(oldPath, newPath string, f compareFlags) error {
	if _, err := f.parse(); err != nil {
		return err
	}
	older, err := readResults(oldPath)
	if err != nil {
		return err
	}
	newer, err := readResults(newPath)
	if err != nil {
		return err
	}
	comparison, err := f.compare(older, newer)
	if err != nil {
		return err
	}
	if f.output == "-" {
		return first(f.write(os.Stdout, newer, comparison), verdictOf(comparison.Gates))
	}
	return first(writeFile(f.output, func(w io.Writer) error { return f.write(w, newer, comparison) }), verdictOf(comparison.Gates))
}

// parsed are the thresholds as numbers.
type parsed struct {
	drop     float64 // 0: none
	speedups []analysis.Speedup
}

func (f compareFlags) parse() (p parsed, err error) {
	if f.failAbove != "" {
		if p.drop, err = parseShare(f.failAbove); err != nil {
			return p, usage(fmt.Errorf("--fail-above %s: %w", f.failAbove, err), "for example --fail-above 5%")
		}
	}
	for _, text := range f.minSpeedup {
		s, err := analysis.ParseSpeedup(text)
		if err != nil {
			return p, usage(fmt.Errorf("--min-speedup: %w", err), "for example --min-speedup 'log/file@8>=1.5'")
		}
		p.speedups = append(p.speedups, s)
	}
	if _, known := comparisonFormats()[f.format]; f.format != "" && !known {
		return p, unknown("format", f.format, slices.Sorted(maps.Keys(comparisonFormats())))
	}
	return p, nil
}

// parseShare reads "5%" or "0.05".
func parseShare(text string) (float64, error) {
	number, hundredths := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if hundredths {
		share /= 100
	}
	if err != nil || !(share > 0 && share < 1) {
		return 0, errors.New("not a share between 0% and 100%")
	}
	return share, nil
}

// compare refuses runs that are not alike, unless told to go on anyway.
func (f compareFlags) compare(older, newer *results.Run) (*results.Comparison, error) {
	unlike := analysis.Unlike(older, newer)
	if len(unlike) > 0 && !f.anyway {
		return nil, notComparable(strings.Join(unlike, "; "))
	}
	c := analysis.Compare(older, newer)
	c.Unlike = unlike
	return c, f.judge(c, newer)
}

func notComparable(why string) error {
	return &failure{exitIncomparable, fmt.Errorf("not comparable: %s", why), "--anyway compares them all the same"}
}

// judge holds a comparison to the thresholds.
func (f compareFlags) judge(c *results.Comparison, newer *results.Run) error {
	p, err := f.parse()
	if err != nil {
		return err
	}
	if len(c.Changes) == 0 {
		return &failure{exitIncomparable, errors.New("not comparable: the runs have no cell in common"), ""}
	}
	if p.drop > 0 {
		c.Gates = analysis.GateChanges(c, p.drop)
	}
	gates, err := speedupGates(newer, p.speedups)
	c.Gates = append(c.Gates, gates...)
	return err
}

func speedupGates(run *results.Run, speedups []analysis.Speedup) ([]results.Gate, error) {
	var all []results.Gate
	findings := analysis.Analyze(run)
	for _, s := range speedups {
		gates, err := analysis.GateSpeedup(findings, s)
		if err != nil {
			return nil, usage(fmt.Errorf("--min-speedup: %w", err), "")
		}
		all = append(all, gates...)
	}
	return all, nil
}

func comparisonFormats() map[string]func(io.Writer, *results.Comparison) error {
	return map[string]func(io.Writer, *results.Comparison) error{
		"text": func(w io.Writer, c *results.Comparison) error {
			return report.ComparisonText(w, c, textOptions(w, true))
		},
		"markdown": report.ComparisonMarkdown,
		"junit":    report.ComparisonJUnit,
		"html":     nil, // a part of the new run's page: write makes it
	}
}

// write writes the comparison; as HTML it is the page of the new run with the
// comparison behind its verdict.
func (f compareFlags) write(w io.Writer, newer *results.Run, c *results.Comparison) error {
	if f.format == "html" {
		page := analysis.Analyze(newer)
		page.Comparison = c
		return report.HTML(w, page)
	}
	return comparisonFormats()[f.format](w, c)
}

// verdictOf turns the thresholds into the exit code: a certain failure goes
// before one that cannot be told.
func verdictOf(gates []results.Gate) error {
	for _, status := range []struct {
		name string
		code int
	}{{results.GateFailed, exitThreshold}, {results.GateUnseen, exitInconclusive}} {
		var hit []string
		for _, g := range gates {
			if g.Status == status.name {
				hit = append(hit, g.Threshold+": "+g.Text)
			}
		}
		if len(hit) > 0 {
			return &failure{status.code, fmt.Errorf("%d of %d thresholds %s; the first: %s", len(hit), len(gates), status.name, hit[0]), ""}
		}
	}
	return nil
}
