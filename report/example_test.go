package report_test

import (
	"fmt"
	"os"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// small is a report of one variant, measured twice: too little for an
// interval.
func small() *results.Report {
	s := unmeasured(summary("file", "process-crash", 1, 810e3, 100))
	s.Warnings = []results.Warning{{Code: results.WarnTrials, Text: "fewer than 6 trials carry no 95 % interval"}}
	return &results.Report{Findings: []results.Finding{{
		Experiment: results.Experiment{Name: "log", Question: "What does an append cost?", Unit: "append"},
		Verdict: results.Verdict{
			Sentence: "At 1 goroutine: file, 810k appends/s.", At: "at 1 goroutine",
			Lines: []results.Line{{Text: "file, 810k appends/s", Variants: []string{"file"}}},
		},
		Summaries: []results.Summary{s},
	}}}
}

func ExampleText() {
	if err := report.Text(os.Stdout, small(), report.TextOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// log: What does an append cost?
	//
	// variant   N = 1  95 %  p99 at 1  mostly
	//   file   810k/s     –         –  –
	//
	//   ! fewer than 6 trials carry no 95 % interval: file at N = 1
	//
	// Verdict, at 1 goroutine
	//   file, 810k appends/s.
}

func ExampleMarkdown() {
	if err := report.Markdown(os.Stdout, small()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ## log
	//
	// What does an append cost?
	//
	// **Verdict, at 1 goroutine**
	//
	// - file, 810k appends/s.
	//
	// Every variant promises: order total, result linearizable, survives process-crash.
	//
	// | variant | N | ops/s | interval | mean | p50 | p99 | serial |
	// | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
	// | file | 1 | 810k | – | – | – | – | – |
	//
	// - fewer than 6 trials carry no 95 % interval: file at N = 1
}
