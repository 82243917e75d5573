package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

func reportCommand() *cobra.Command {
	var output, format string
	var verbose bool
	c := &cobra.Command{
		Use:   "report RUN.jsonl...",
		Short: "Render saved results",
		Example: `  syncwrite report run.jsonl
  syncwrite report run.jsonl -o run.html
  syncwrite report run.jsonl -o run.svg     the throughput figure; of several
                                            experiments run-EXPERIMENT.svg each
  syncwrite report run.jsonl -o run.hgrm    latencies as HdrHistogram has them; of
                                            several cells run-CELL.hgrm each
  syncwrite report run.jsonl --format bench | benchstat -col /variant -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage(fmt.Errorf("report: no results file named"), "for example syncwrite report run.jsonl")
			}
			format, err := formatOf(format, output, c.Flags().Changed("format"))
			if err != nil {
				return err
			}
			if err := keepsInputs(output, args); err != nil {
				return err
			}
			return reportFiles(args, format, output, verbose)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "-", "file to write; its ending (.html .svg .md .txt .bench .jsonl .hgrm) names the format. Results are never overwritten: a .jsonl needs a new name")
	c.Flags().StringVar(&format, "format", "text", "what is written: "+strings.Join(formatNames(), ", "))
	c.Flags().BoolVar(&verbose, "verbose", false, verboseHelp)
	completes(c, "format", completeWords(formatNames()))
	return c
}

// formatEndings are the formats that the ending of a file names.
func formatEndings() map[string]string {
	return map[string]string{".txt": "text", ".md": "markdown", ".bench": "bench", ".jsonl": "jsonl", ".html": "html", ".svg": "svg", ".hgrm": "hgrm"}
}

// formatOf takes the format from the ending of the output file, unless it was
// named.
func formatOf(format, output string, named bool) (string, error) {
	if named || output == "-" {
		return format, checkFormat(format)
	}
	ending := filepath.Ext(output)
	if format = formatEndings()[ending]; format == "" {
		return "", exit.Usage(fmt.Errorf("-o %s: no format has the ending %q", output, ending), "name one with --format")
	}
	return format, nil
}

func reportFiles(paths []string, format, output string, verbose bool) error {
	run := &results.Run{}
	for _, path := range paths {
		one, err := readResults(path)
		if err != nil {
			return err
		}
		if len(paths) > 1 && one.OfBench() {
			return fmt.Errorf("%s: the benchmark format is put together with no other results: nothing says which trials they share", path)
		}
		run.Merge(one)
	}
	for _, p := range run.Problems {
		exit.Say(os.Stderr, p.String())
	}
	report := analysis.Analyze(run)
	if output == "-" {
		return render(os.Stdout, format, run, report, verbose)
	}
	switch format {
	case "svg":
		return writeThroughputs(output, report)
	case "hgrm":
		return writeDistributions(output, report)
	}
	return writeFile(output, func(w io.Writer) error { return render(w, format, run, report, verbose) })
}
