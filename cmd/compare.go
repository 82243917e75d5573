package cmd

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

func compareCommand() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare OLD.jsonl [...] NEW.jsonl",
		Short: "Tell what changed between two runs, and whether it matters",
		Long: `compare sets the cells of two runs against each other, worst first, and calls
each better, worse, same or one it cannot tell. Runs on different machines, of
different workloads or promises are refused (exit code 5). Of more than two runs
every cell is shown over all of them; calls are of the first and the last.

Exit codes: 0 compared, and every threshold held, 1 an error, 2 wrong usage,
3 a threshold failed, 4 the trials cannot tell whether one holds, 5 the runs are
not comparable.`,
		Example: `  syncwrite compare old.jsonl new.jsonl --fail-above 5%
  syncwrite compare old.jsonl new.jsonl --min-speedup 'log/file@8>=1.5' --format junit`,
		RunE: func(c *cobra.Command, args []string) error {
			if named := comparisonEndings()[filepath.Ext(f.output)]; named != "" && !c.Flags().Changed("format") {
				f.format = named
			}
			if err := f.keeps(args); err != nil {
				return err
			}
			switch {
			case len(args) < 2:
				return exit.Usage(fmt.Errorf("compare: %s named, want the old and the new one", results.Count(len(args), "results file")), "")
			case len(args) > 2:
				return compareMany(args, f)
			}
			return compareFiles(args[0], args[1], f)
		},
	}
	f.thresholds(c)
	c.Flags().BoolVar(&f.anyway, "anyway", false, "compare what is not comparable, with a warning")
	c.Flags().StringVar(&f.format, "format", "text", "what is written: text, markdown, html, junit")
	c.Flags().StringVarP(&f.output, "output", "o", "-", "file to write; its ending .html, .md or .xml (JUnit) names the format")
	completes(c, "format", completeWords(slices.Sorted(maps.Keys(comparisonFormats()))))
	return c
}

// comparisonEndings are the formats that the ending of a file names.
func comparisonEndings() map[string]string {
	return map[string]string{".html": "html", ".md": "markdown", ".xml": "junit"}
}

// keeps returns an error if what is written would take the place of results, or has the ending of another format.
func (f compareFlags) keeps(inputs []string) error {
	ending := filepath.Ext(f.output)
	if format := formatEndings()[ending]; format != "" && format != "text" && comparisonEndings()[ending] == "" {
		return exit.Usage(fmt.Errorf("-o %s: no comparison is written as %s", f.output, format), "its ending can be .html, .md or .xml")
	}
	return keepsInputs(f.output, inputs)
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
	comparison, err := f.compare(older, newer, nil)
	if err != nil {
		return err
	}
	if f.output == "-" {
		return exit.First(f.write(os.Stdout, newer, comparison), verdictOf(comparison.Gates))
	}
	return exit.First(writeFile(f.output, func(w io.Writer) error { return f.write(w, newer, comparison) }), verdictOf(comparison.Gates))
}
