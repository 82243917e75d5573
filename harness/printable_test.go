package harness_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A run's own words reach files and terminals as those of a file would: those
// of the experiment, of the command, of levels and of errors.
func TestARunsOwnWordsArePrintable(t *testing.T) {
	const evil = "\x1b[2J\u202e"
	config := quick(t)
	config.Command, config.Levels = []string{evil}, map[string][]string{evil: {evil}}
	var recorded strings.Builder
	config.Record = func(record any) error {
		_, err := fmt.Fprintf(&recorded, "%+v", record)
		return err
	}
	e := experiment(harness.Func("a", promise, nothing),
		harness.Func("b", promise, func() error { return errors.New("first line\nsecond" + evil) }))
	e.Question, e.Factors, e.Variants[0].About = evil, []harness.Factor{{Name: evil, About: evil}}, evil
	e.Claims = []results.Claim{{By: evil, Text: evil, Least: 1}}
	run, err := harness.Run(t.Context(), config, e)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{recorded.String(), fmt.Sprintf("%+v", *run), fmt.Sprintf("%+v", e.Describe())} {
		if strings.Contains(text, "\x1b") || strings.Contains(text, "\u202e") || strings.Contains(text, "\n") {
			t.Errorf("not printable: %q", text)
		}
	}
	const want = `first line; second\x1b[2J\u202e`
	if len(run.Outcomes) != 1 || run.Outcomes[0].Text != want {
		t.Errorf("outcomes %+v, want %s", run.Outcomes, want)
	}
	if len(run.Trials) == 0 || run.Trials[0].Factors[`\x1b[2J\u202e`] == "" {
		t.Errorf("trials %+v", run.Trials)
	}
	cells, err := harness.Cells(config, e)
	if err != nil || !slices.Contains(cells, run.Trials[0].Cell()) {
		t.Errorf("error %v, and %v is not among the cells to measure, %v", err, run.Trials[0].Cell(), cells)
	}
}
