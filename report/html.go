package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// HTML writes the report as one page: verdict, figures, every cell, causes,
// doubts, and what is needed to trust and to repeat it. The page fetches
// nothing and can be read without JavaScript, in dark and light, on a phone.
func HTML(w io.Writer, r *results.Report) error {
	return writePage(w, "page", pageOf(r))
}

// writePage writes nothing of a page that cannot be rendered.
func writePage(w io.Writer, name string, view any) error {
	var out bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&out, name, view); err != nil {
		return fmt.Errorf("render the page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// A page is what the template page.gohtml is given, in the order it shows it.
type page struct {
	Title    string
	Live     string // what is still to come; empty of a run that is over
	CSS      template.CSS
	Script   template.JS
	Findings []findingView
	Nav      []findingView // of several experiments
	Doubts   []string      // about the run as a whole
	Trust    []trust
	Glossary []group
}

// A findingView is the part of a page that answers one experiment's question.
type findingView struct {
	ID          string // unique on the page; prefix of all ids in it
	Experiment  results.Experiment
	Where       string // when and where it was measured, in one line
	Verdict     results.Verdict
	After       []string        // what stands below the verdict's lines
	Caveats     []string        // the doubts of the cells that the verdict speaks of
	Folded      bool            // measured along, as a limit of another
	Compared    *comparisonView // against an older run or thresholds; on the first finding
	ClaimsTitle string
	Tallies     *table // of the trials without a rate
	Runs        *table // of every trial, where the experiment asks for it
	RunsNote    string
	Kinds       *table // of requests
	Failures    []string
	Cycles      *table // where users' time goes
	CycleNotes  []string
	Speedups    *table // of more workers
	SpeedupNote string
	OverTime    []figure.Drawing
	Empty       bool
	Shared      string
	Few         string // of many variants, which are drawn
	MainTitle   string
	Main        []figure.Drawing // throughput and, if one goroutine and more were measured, percent of serial rate
	Scaling     *table
	ScalingNote []string
	Cells, More table
	Latency     []figure.Drawing
	Trials      figure.Drawing
	Why         figure.Drawing
	WhyTable    *table
	Causes      figure.Drawing
	CauseTable  table
	CauseNote   string
	Doubts      []lettered
	Footnote    string   // doubts of nearly every cell
	Outcomes    []string // variants that an error ended
}

func pageOf(r *results.Report) page {
	p := page{
		Title: titleOf(r), Live: r.Live, CSS: pageStyle(), Script: script(),
		Doubts: runDoubts(r), Trust: trustOf(r), Glossary: glossary(),
	}
	shown := r.Shown()
	for i, f := range slices.Concat(shown, r.Along()) {
		v := viewOf(f, fmt.Sprintf("e%d", i+1))
		v.Where, v.Caveats, v.Folded = whereOf(r), caveats(f, r), i >= len(shown)
		if i == 0 && r.Comparison != nil {
			v.Compared = comparisonOf(r.Comparison)
		}
		p.Findings = append(p.Findings, v)
	}
	if len(shown) > 1 {
		p.Nav = p.Findings[:len(shown)]
	}
	return p
}

func viewOf(f results.Finding, id string) findingView {
	f.Verdict.At = sheet.At(f)
	v := findingView{
		ID: id, Experiment: f.Experiment, Verdict: f.Verdict, After: after(f.Verdict), Empty: len(f.Summaries) == 0,
	}
	s := sheet.New(f)
	v.Outcomes = s.Errors()
	v.ClaimsTitle = claimsTitle
	if len(f.Tallies) > 0 {
		head, right, rows := tallyTable(f.Tallies)
		t := tableOfText(talliesTitle, head, right, rows)
		v.Tallies = &t
	}
	if v.Empty {
		return v
	}
	v.fill(s)
	return v
}

// fill draws what a finding with trials has to show.
func (v *findingView) fill(f sheet.Sheet) {
	id := v.ID
	few, note := figure.Drawn(f)
	v.Shared, v.Few = sheet.Shared(f), note
	v.Cells, v.More = cellTables(f, id)
	if head, right, rows := kindTable(f, true); len(rows) > 0 {
		t := tableOfText(kindsTitle, head, right, rows)
		v.Kinds, v.Failures = &t, failures(f)
	}
	v.fillCycles(f, few)
	v.Doubts, v.Footnote = letteredDoubts(f, id), sheet.Footnote(f)
	if sheet.Open(f) {
		v.fillOpen(few)
		return
	}
	v.MainTitle, v.Main = "Throughput", []figure.Drawing{figure.Main(f, few)}
	if len(sheet.LevelsOf(f.Summaries)) > 1 {
		v.MainTitle = "How throughput changes with goroutines"
	}
	if d := figure.PercentOfSerial(few); !d.Empty() {
		v.Main = append(v.Main, d)
	}
	v.Latency = []figure.Drawing{figure.Latencies(few), figure.Distributions(few)}
	v.Trials, v.Causes = figure.TrialPoints(few), figure.CauseBars(few)
	if f.Experiment.Tabled {
		shared, head, right, rows := runTable(f)
		t := tableOfText(runsTitle, head, right, rows)
		v.Runs, v.RunsNote = &t, runsNote(f, shared)
	}
	if head, right, rows := scalingTable(f); len(rows) > 0 {
		t := tableOfText(scalingTitle, head, right, rows)
		v.Scaling, v.ScalingNote = &t, scalingNotes(f)
	}
	v.Why = figure.WhyBars(few)
	if head, right, rows := whyTable(f); len(rows) > 0 {
		t := tableOfText(whyTitle, head, right, rows)
		v.WhyTable = &t
	}
	v.CauseTable, v.CauseNote = causeTable(f), sheet.CauseNotes(f)
}

// fillCycles shows what each second saw, and what processes of their own did.
func (v *findingView) fillCycles(f, few sheet.Sheet) {
	if head, right, rows := cycleTable(f); len(rows) > 0 {
		t := tableOfText(cyclesTitle, head, right, rows)
		v.Cycles, v.CycleNotes = &t, cycleNotes(f)
	}
	if head, right, rows := speedupTable(f); len(rows) > 0 {
		t := tableOfText(speedupsTitle, head, right, rows)
		v.Speedups, v.SpeedupNote = &t, speedupNote
	}
	for _, d := range figure.OverTime(few) {
		if !d.Empty() {
			v.OverTime = append(v.OverTime, d)
		}
	}
}

// fillOpen draws what the open loop has to show: there is no throughput to find.
func (v *findingView) fillOpen(few sheet.Sheet) {
	v.MainTitle = "How long one waits"
	if d := figure.OverRate(few); !d.Empty() {
		v.Main = []figure.Drawing{d}
	}
	v.Latency = []figure.Drawing{figure.Distributions(few)}
}

// caveats are the doubts to be read with the verdict: those about the whole run,
// and those of the cells that it speaks of.
func caveats(f results.Finding, r *results.Report) []string {
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Text)
	}
	if len(f.Summaries) == 0 {
		return all
	}
	s := sheet.New(f)
	shown, _ := briefly(s)
	for _, d := range shown {
		all = append(all, d.Head()+" ("+briefWhere(s, d)+")")
	}
	return all
}

// whereOf says in one line when and where a report was measured.
func whereOf(r *results.Report) string {
	var parts []string
	for i, e := range r.Envs {
		parts = append(parts, inBrief(e, trialsOfEnv(r, i))...)
	}
	return strings.Join(parts, " ")
}

func titleOf(r *results.Report) string {
	var names []string
	for _, f := range r.Shown() {
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
		all = append(all, p.Skipped())
	}
	return all
}

//go:embed page.gohtml page.css page.js
var pageAssets embed.FS

func pageTemplates() *template.Template {
	return template.Must(figure.Templates().ParseFS(pageAssets, "page.gohtml"))
}

func pageStyle() template.CSS { return figure.Style() + template.CSS(asset("page.css")) }

func script() template.JS { return template.JS(asset("page.js")) }

func asset(name string) string {
	text, err := pageAssets.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}
