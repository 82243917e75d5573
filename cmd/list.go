package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/results"
)

func listCommand(catalogue []harness.Experiment) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List experiments, suites, variants and what each promises",
		Args:  func(c *cobra.Command, args []string) error { return noArgs("list", args) },
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				return listJSON(os.Stdout, catalogue)
			}
			var text bytes.Buffer
			o := textOptions(os.Stdout, false)
			listText(paper.New(&text, o.Width, o.Color), catalogue)
			_, err := os.Stdout.Write(text.Bytes())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON record an experiment")
	return c
}

func listJSON(w io.Writer, catalogue []harness.Experiment) error {
	out := results.NewWriter(w)
	for _, e := range catalogue {
		if err := out.Write(e.Describe()); err != nil {
			return err
		}
	}
	for _, s := range suites(catalogue) {
		if err := out.Write(results.Suite{Name: s.Name, About: s.About, Experiments: experimentNames(s.Experiments)}); err != nil {
			return err
		}
	}
	return nil
}

func listText(w *paper.Paper, catalogue []harness.Experiment) {
	for i, e := range catalogue {
		if i > 0 {
			fmt.Fprintln(w)
		}
		e := e.Describe()
		w.Paragraph("", fmt.Sprintf("%s: %s (%s)", e.Name, e.Question, lasts(catalogue, e.Name)))
		for _, v := range e.Variants {
			w.Paragraph(fmt.Sprintf("  %-16s ", v.Name), v.About)
			w.Paragraph(paper.Spaces(21), v.Promise.String())
		}
		for _, f := range e.Factors {
			w.Paragraph("  ", fmt.Sprintf("-p %s=%s: %s", f.Name, levelsOf(f), f.About))
		}
	}
	for _, s := range suites(catalogue) {
		fmt.Fprintln(w)
		w.Paragraph("", fmt.Sprintf("suite %s: %s (%s)", s.Name, s.About, lasts(catalogue, s.Name)))
		w.Paragraph("  ", strings.Join(experimentNames(s.Experiments), ", "))
	}
}

// lasts says how long run takes with what it measures unless told otherwise.
func lasts(catalogue []harness.Experiment, name string) string {
	f := runFlags{trials: defaultTrials, window: defaultWindow, format: "text"}
	experiments, config, err := f.plan(catalogue, []string{name})
	if err != nil {
		return "cannot be run: " + err.Error()
	}
	whole, err := harness.Estimate(config, experiments...)
	if err != nil {
		return "cannot be run: " + err.Error()
	}
	return "about " + whole.Round(time.Second).String()
}

func experimentNames(all []harness.Experiment) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}
