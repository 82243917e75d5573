package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// HTML writes the report as one page: verdict, figures, every cell, causes,
// doubts, and what is needed to trust and to repeat it. The page fetches
// nothing and can be read without JavaScript, in dark and light, on a phone.
func HTML(w io.Writer, r *results.Report) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, "page", pageOf(r)); err != nil {
		return fmt.Errorf("render the page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// A page is what the template page.gohtml is given, in the order it shows it.
type page struct {
	Title    string
	CSS      template.CSS
	Script   template.JS
	Findings []findingView
	Doubts   []string // about the run as a whole
	Trust    []trust
	Glossary []group
}

// A findingView is the part of a page that answers one experiment's question.
type findingView struct {
	ID          string // unique on the page; prefix of all ids in it
	Experiment  results.Experiment
	Verdict     results.Verdict
	Caveats     []string        // the doubts that stand beside the verdict
	Compared    *comparisonView // against an older run or thresholds; on the first finding
	ClaimsTitle string
	Tallies     *table // of the trials without a rate
	Runs        *table // of every trial, where the experiment asks for it
	RunsNote    string
	Empty       bool
	Shared      string
	Main        []drawing // throughput and percent of serial rate
	Cells, More table
	Latency     []drawing
	Trials      drawing
	Causes      drawing
	CauseTable  table
	CauseNote   string
	Doubts      []lettered
	Outcomes    []results.Outcome
}

func pageOf(r *results.Report) page {
	p := page{
		Title: titleOf(r), CSS: style("figure.css") + style("page.css"), Script: script(),
		Doubts: runDoubts(r), Trust: trustOf(r), Glossary: glossary(),
	}
	for i, f := range r.Findings {
		v := viewOf(f, fmt.Sprintf("e%d", i+1))
		v.Caveats = caveats(v, r)
		if i == 0 && r.Comparison != nil {
			v.Compared = comparisonOf(r.Comparison)
		}
		p.Findings = append(p.Findings, v)
	}
	return p
}

func viewOf(f results.Finding, id string) findingView {
	v := findingView{
		ID: id, Experiment: f.Experiment, Verdict: f.Verdict, Empty: len(f.Summaries) == 0,
		Outcomes: f.Errors(),
	}
	v.ClaimsTitle = claimsTitle
	if len(f.Tallies) > 0 {
		head, right, rows := tallyTable(f.Tallies)
		t := tableOfText(talliesTitle, head, right, rows)
		v.Tallies = &t
	}
	if v.Empty {
		return v
	}
	v.fill(newSheet(f))
	return v
}

// fill draws what a finding with trials has to show.
func (v *findingView) fill(f sheet) {
	id := v.ID
	v.Shared = shared(f)
	v.Main = []drawing{throughput(f), percentOfSerial(f)}
	v.Cells, v.More = cellTables(f, id)
	v.Latency = []drawing{latencies(f), distributions(f)}
	v.Trials, v.Causes = trialPoints(f), causeBars(f)
	if f.Experiment.Tabled {
		shared, head, right, rows := runTable(f)
		t := tableOfText(runsTitle, head, right, rows)
		v.Runs, v.RunsNote = &t, runsNote(f, shared)
	}
	v.CauseTable, v.CauseNote = causeTable(f), causeNotes(f)
	v.Doubts = letteredDoubts(f, id)
}

// caveats are the doubts to be read with the verdict: those about the whole
// run and about every cell in words, the others as a count.
func caveats(v findingView, r *results.Report) []string {
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Text)
	}
	some := 0
	for _, d := range v.Doubts {
		if d.Where == everyCell {
			all = append(all, d.Text+" (every cell)")
		} else {
			some++
		}
	}
	switch {
	case some == 1:
		all = append(all, "1 doubt about single cells")
	case some > 1:
		all = append(all, fmt.Sprintf("%d doubts about single cells", some))
	}
	return all
}

// tight keeps a percent sign with its number.
func tight(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") }

func titleOf(r *results.Report) string {
	var names []string
	for _, f := range r.Findings {
		names = append(names, f.Experiment.Name)
	}
	return strings.Join(append([]string{"syncwrite"}, names...), " ")
}

// runDoubts are the warnings of the run and the lines that were skipped.
func runDoubts(r *results.Report) []string {
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Text)
	}
	for _, p := range r.Problems {
		all = append(all, fmt.Sprintf("%s:%d: skipped: %s", p.File, p.Line, p.Text))
	}
	return all
}

func script() template.JS {
	text, err := assets.ReadFile("page.js")
	if err != nil {
		panic(err) // it is embedded
	}
	return template.JS(text)
}
