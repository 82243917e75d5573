package main_test

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// courseBlock is a block of docs/course.md that a run fills: ```text RUN
// EXPERIMENT.
var courseBlock = regexp.MustCompile("(?ms)^```text ([a-z]+) ([a-z-]+)\n.*?^```$")

// Every figure of docs/course.md is one of the runs in published/course,
// rendered as the command renders it.
func TestCourseIsThatOfItsRuns(t *testing.T) {
	const page = "../../docs/course.md"
	runs := map[string]*results.Report{}
	for _, name := range []string{"suite", "map"} {
		runs[name] = reportOf(t, "../../published/course/"+name+".jsonl")
		hold(t, "../../published/course/"+name+".md", rendered(t, runs[name], report.Markdown))
	}
	for _, name := range []string{"messages", "peers", "paced"} {
		run := runOf(t, "../../published/course/"+name+".jsonl")
		hold(t, "../../published/course/"+name+".md", rendered(t, analysis.Analyze(run), report.Markdown))
		runs[name] = analysis.Analyze(part(run, func(t results.Trial) bool { // those of one promise, at the least, a middle and the largest mailbox
			return slices.Contains([]string{"sync", "async", "in-order", "packed", "raw-tcp"}, t.Variant) && slices.Contains([]string{"1", "64", "4096", "1024"}, t.Factors["buffer"]) &&
				(name == "peers" || t.Factors["buffer"] != "1024")
		}))
	}
	load := runOf(t, "../../published/course/load.jsonl")
	hold(t, "../../published/course/load.md", rendered(t, analysis.Analyze(load), report.Markdown))
	runs["scenarios"] = analysis.Analyze(part(load, func(t results.Trial) bool { // what the course itself asked
		return t.Goroutines <= 50 && t.Factors["wait"] == "0" && t.Factors["list"] == "growing"
	}))
	runs["fixed"] = analysis.Analyze(part(load, func(t results.Trial) bool { return t.Goroutines == 50 && t.Factors["list"] == "fixed" }))
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	hold(t, page, courseBlock.ReplaceAllFunc(text, func(block []byte) []byte {
		blocks++
		names := courseBlock.FindSubmatch(block)
		run, experiment := string(names[1]), string(names[2])
		return fmt.Appendf(nil, "```text %s %s\n%s```", run, experiment, courseExcerpt(t, runs[run], experiment))
	}))
	if blocks != 9 {
		t.Errorf("%s has %d blocks that a run fills, want 9", page, blocks)
	}
}

// part keeps some trials of a run.
func part(run *results.Run, keep func(results.Trial) bool) *results.Run {
	few := *run
	few.Trials = slices.DeleteFunc(slices.Clone(run.Trials), func(t results.Trial) bool { return !keep(t) })
	return &few
}

// What courseExcerpt leaves out stands between these.
var (
	chartOn     = regexp.MustCompile(`(?m)^(No chart|ops/s over goroutines)`)
	conclusions = regexp.MustCompile(`(?m)^(Trials without a rate|What others concluded|Details|Verdict)`)
)

// courseExcerpt is the verbose report of one experiment, without chart, causes
// and doubts: these are in published/course.
func courseExcerpt(t *testing.T, r *results.Report, experiment string) string {
	t.Helper()
	if r == nil {
		t.Fatal("a block names no run of published/course")
	}
	for _, f := range r.Findings {
		if f.Experiment.Name != experiment {
			continue
		}
		whole := rendered(t, &results.Report{Findings: []results.Finding{f}}, func(w io.Writer, r *results.Report) error {
			return report.Text(w, r, report.TextOptions{Verbose: true})
		})
		from := chartOn.FindIndex(whole)
		to := conclusions.FindIndex(whole)
		if from == nil || to == nil {
			t.Fatalf("%s has no chart, or no conclusions", experiment)
		}
		return string(whole[:from[0]]) + string(whole[to[0]:])
	}
	t.Fatalf("no experiment %s in the run", experiment)
	return ""
}
