package results_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// twiceFile is a run of three trials as a file, in either format.
func twiceFile(t *testing.T, bench bool) string {
	t.Helper()
	run := &results.Run{Envs: []results.Env{{Format: results.Format, Start: time.Unix(1, 0).UTC(), Settings: results.Settings{Seed: 3}}}}
	var text bytes.Buffer
	w := results.NewWriter(&text)
	if err := w.Write(run.Envs[0]); err != nil {
		t.Fatal(err)
	}
	for block := 1; block <= 3; block++ {
		trial := results.Trial{Experiment: "e", Variant: "v", Goroutines: 1, Block: block, Position: 1, Ops: 1000, WallNS: int64(1e6 + block), Usage: results.MissingUsage()}
		run.Trials = append(run.Trials, trial)
		if err := w.Write(trial); err != nil {
			t.Fatal(err)
		}
	}
	if bench {
		text.Reset()
		if err := results.WriteBench(&text, run); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

// The same trials twice would look like more certainty, however they come twice:
// in one file, in two, or within a file that holds more.
func TestTrialsGivenTwiceCountOnce(t *testing.T) {
	jsonl, bench := twiceFile(t, false), twiceFile(t, true)
	read := func(text string) *results.Run {
		run, err := results.Read(strings.NewReader(text), "x.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	merged := func(a, b *results.Run) *results.Run { a.Merge(b); return a }
	more := strings.Replace(jsonl, `"seed":3`, `"seed":4`, 1)
	readBench := func() *results.Run {
		run, err := results.ReadBench(strings.NewReader(bench), "x.bench")
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	for name, c := range map[string]struct {
		run  *results.Run
		want int
	}{
		"one file twice over":         {read(jsonl + jsonl), 3},
		"two files":                   {merged(read(jsonl), read(jsonl)), 3},
		"a file that holds the other": {merged(read(jsonl), read(more+jsonl)), 6},
		"the other way round":         {merged(read(more+jsonl), read(jsonl)), 6},
		"a part, then the whole":      {merged(read(strings.Join(strings.SplitAfter(jsonl, "\n")[:2], "")), read(jsonl)), 3},
		"other figures in one place":  {read(jsonl + strings.ReplaceAll(jsonl, `"ops":1000`, `"ops":2000`)), 6},
		"another run":                 {merged(read(jsonl), read(more)), 6},
		"the benchmark format":        {merged(readBench(), readBench()), 3},
	} {
		if len(c.run.Trials) != c.want || (len(c.run.Problems) > 0) == (name == "another run" || name == "other figures in one place") {
			t.Errorf("%s: %d trials, want %d; problems %v", name, len(c.run.Trials), c.want, c.run.Problems)
		}
	}
}

// A trial that timed each operation and one that sampled have no sum.
func TestModesDoNotMix(t *testing.T) {
	a, b := results.Trial{Latency: latencyOf(50)}, results.Trial{Latency: latencyOf(50)}
	b.Latency.Mode = results.Sampled
	if _, whole := results.MergeLatencies([]results.Trial{a, b}); whole {
		t.Error("they were merged")
	}
}

// So do trials that left an outcome and no rate.
func TestOutcomesGivenTwiceCountOnce(t *testing.T) {
	jsonl := twiceFile(t, false) + `{"record":"outcome","experiment":"e","variant":"w","goroutines":1,"block":1,"kind":"ended","text":"x"}
{"record":"outcome","experiment":"e","variant":"w","goroutines":1,"block":2,"kind":"ended","text":"x"}
`
	read := func(text string) *results.Run {
		run, err := results.Read(strings.NewReader(text), "x.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	two := read(jsonl)
	two.Merge(read(jsonl))
	for name, run := range map[string]*results.Run{"once": read(jsonl), "one file twice over": read(jsonl + jsonl), "two files": two} {
		if len(run.Outcomes) != 2 || len(run.Envs) != 1 {
			t.Errorf("%s: %d outcomes of %d runs, want 2 of 1", name, len(run.Outcomes), len(run.Envs))
		}
	}
	more := strings.Replace(jsonl, `"seed":3`, `"seed":4`, 1)
	for name, run := range map[string]*results.Run{"in part": read(jsonl + more + jsonl), "and one more": read(more + jsonl + more)} {
		if len(run.Outcomes) != 4 || len(run.Envs) != 2 {
			t.Errorf("twice %s: %d outcomes of %d runs, want 4 of 2", name, len(run.Outcomes), len(run.Envs))
		}
	}
	both := read(jsonl)
	both.Merge(read(more + jsonl))
	if len(both.Outcomes) != 4 || len(both.Envs) != 2 {
		t.Errorf("sets that overlap: %d outcomes of %d runs, want 4 of 2", len(both.Outcomes), len(both.Envs))
	}
}
