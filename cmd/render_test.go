package cmd

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// figuresAlone are the formats that hold figures and no words on purpose. Any other
// must say what the verdict says, and every doubt.
var figuresAlone = map[string]string{
	"bench": "what reads it reads numbers: docs/formats.md",
	"hgrm":  "one cell's latencies, for the plotter of HdrHistogram",
	"svg":   "one drawing, which stands beside the words",
}

func TestEveryFormatSaysVerdictAndDoubts(t *testing.T) {
	run := doubtfulRun()
	r := analysis.Analyze(run)
	f := r.Findings[0]
	words := []string{f.Verdict.Scaling}
	for _, l := range f.Verdict.Lines {
		words = append(words, l.Text)
	}
	for _, s := range f.Summaries {
		for _, w := range s.Warnings {
			words = append(words, w.Text)
		}
	}
	if len(words) < 6 {
		t.Fatalf("too little to look for: %q", words)
	}
	for name, write := range formats() {
		if _, alone := figuresAlone[name]; alone {
			continue
		}
		var out strings.Builder
		if err := write(&out, run, r, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := plainly(out.String())
		for _, want := range words {
			if !strings.Contains(text, plainly(want)) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// plainly takes off markup, escapes and line ends.
func plainly(text string) string {
	text = html.UnescapeString(tags.ReplaceAllString(text, ""))
	text = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\`, "", "\u00a0", " ").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// doubtfulRun has a leader, one that a goroutine more does not help, and doubts.
func doubtfulRun() *results.Run {
	promise := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	run := &results.Run{
		Envs: []results.Env{{Format: results.Format, Machine: results.Machine{CPU: "one", Cores: 64, GOMAXPROCS: 64}}},
		Experiments: []results.Experiment{{Name: "log", Unit: "append",
			Variants: []results.Variant{{Name: "fast", Promise: promise}, {Name: "slow", Promise: promise}}}},
		Ends: []results.End{{Status: results.Complete}},
	}
	for block := 1; block <= 6; block++ {
		for variant, ops := range map[string]int{"fast": 4_000_000, "slow": 1_000_000} {
			for _, n := range []int{1, 8} {
				run.Trials = append(run.Trials, results.Trial{
					Experiment: "log", Variant: variant, Goroutines: n, Started: n, Block: block, Ops: ops, WallNS: 100e6 + int64(block)*1e6,
					GoroutineNS: int64(n) * (100e6 + int64(block)*1e6), Latency: results.Latency{MeanNS: results.Number(float64(n) * 1e8 / float64(ops))},
					Usage:    results.MissingUsage(),
					Warnings: []results.Warning{{Code: results.WarnDisturbed, Text: "others"}, {Code: results.WarnFewOps, Text: "fewer than so many (and no more)"}},
				})
			}
		}
	}
	return run
}
