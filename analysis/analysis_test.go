package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

var (
	fleeting = results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	crash    = results.Promise{Order: "total", Result: "linearizable", Survives: "process-crash"}
	durable  = results.Promise{Order: "total", Result: "linearizable", Survives: "power-cut"}
)

// A book builds a run out of throughputs.
type book struct{ run results.Run }

func newBook(promises map[string]results.Promise, order ...string) *book {
	e := results.Experiment{Name: "log", Question: "How fast?", Unit: "append"}
	for _, name := range order {
		e.Variants = append(e.Variants, results.Variant{Name: name, Promise: promises[name]})
	}
	b := &book{}
	b.run.Experiments = []results.Experiment{e}
	b.run.Envs = []results.Env{{Format: results.Format, Machine: results.Machine{CPU: "one", Cores: 64, GOMAXPROCS: 64, Go: "go1.26"}}}
	b.run.Ends = []results.End{{Status: results.Complete}}
	return b
}

// trial is a good one: nobody doubts it.
func trial(variant string, n, block int, opsPerS float64) results.Trial {
	ops := int(opsPerS / 10)
	return results.Trial{
		Experiment: "log", Variant: variant, Goroutines: n, Block: block, Ops: ops,
		WallNS: 100e6, GoroutineNS: int64(n) * 100e6,
		Latency: results.Latency{MeanNS: results.Number(float64(n) * 1e9 / opsPerS), P50NS: 5, P90NS: 6, P99NS: 7, P999NS: 8, MaxNS: 9},
		Naive:   results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()},
		Usage:   results.MissingUsage(),
	}
}

// cell adds one trial a block.
func (b *book) cell(variant string, n int, opsPerS ...float64) {
	for i, rate := range opsPerS {
		b.run.Trials = append(b.run.Trials, trial(variant, n, i+1, rate))
	}
}

// cellWith adds one trial a block at the levels of factors.
func (b *book) cellWith(variant string, n int, factors map[string]string, opsPerS ...float64) {
	at := len(b.run.Trials)
	b.cell(variant, n, opsPerS...)
	for i := range b.run.Trials[at:] {
		b.run.Trials[at+i].Factors = factors
	}
}

func (b *book) finding(t *testing.T) results.Finding {
	t.Helper()
	r := analysis.Analyze(&b.run)
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	readsAsEnglish(t, r.Findings[0].Verdict)
	return r.Findings[0]
}

// readsAsEnglish catches what templates get wrong.
func readsAsEnglish(t *testing.T, v results.Verdict) {
	t.Helper()
	if !strings.HasSuffix(v.Sentence, ".") || strings.Count(v.Sentence, ". ") > 0 {
		t.Errorf("not one sentence: %s", v.Sentence)
	}
	for _, text := range append([]string{v.Sentence}, v.Details...) {
		for _, bad := range []string{"  ", ", ,", ",,", "..", " ,", " .", "NaN", "Inf", "%!", "()", "1 goroutines", "and .", "  and"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q in: %s", bad, text)
			}
		}
	}
}

func summary(t *testing.T, f results.Finding, variant string, n int) results.Summary {
	t.Helper()
	for _, s := range f.Summaries {
		if s.Variant == variant && s.Goroutines == n {
			return s
		}
	}
	t.Fatalf("no summary of %s at %d", variant, n)
	return results.Summary{}
}

// one is a book of variants that promise the same.
func one(names ...string) *book {
	promises := map[string]results.Promise{}
	for _, name := range names {
		promises[name] = fleeting
	}
	return newBook(promises, names...)
}

// Five trials carry an interval at 93.8 %, between their extremes, and are told to; four carry none.
func TestFiveTrials(t *testing.T) {
	b := one("file")
	b.cell("file", 1, 1100, 1000, 1200, 1400, 1300)
	s := summary(t, b.finding(t), "file", 1)
	if want := (results.Interval{Median: 1200, Low: 1000, High: 1400}); s.OpsPerS != want {
		t.Errorf("%v, want %v", s.OpsPerS, want)
	}
	if !slices.ContainsFunc(s.Warnings, func(w results.Warning) bool {
		return w.Code == results.WarnTrials && strings.Contains(w.Text, "at 93.8 %")
	}) {
		t.Errorf("warnings %q", s.Warnings)
	}
}

func TestMediansAndIntervals(t *testing.T) {
	b := one("file")
	b.cell("file", 1, 1000, 1100, 1200, 1300, 1400, 1500)
	s := summary(t, b.finding(t), "file", 1)
	want := results.Interval{Median: 1250, Low: 1000, High: 1500}
	if s.OpsPerS != want || s.Trials != 6 || s.Promise != fleeting {
		t.Errorf("summary %+v, want ops/s %v", s, want)
	}
	if s.PercentSerial != (results.Interval{Median: 100, Low: 100, High: 100}) {
		t.Errorf("one goroutine against itself: %v", s.PercentSerial)
	}
	if got := s.SerialOpsPerS; got < 1247 || got > 1249 { // 2 ÷ (1/1200 + 1/1300)
		t.Errorf("serial rate %v, want about 1248", got)
	}
	if s.P99NS != 7 || s.MaxNS != 9 {
		t.Errorf("without histograms p99 %v and max %v, want the medians 7 and 9", s.P99NS, s.MaxNS)
	}
}

func TestQuantilesRestOnTheHistogramsOfAllTrials(t *testing.T) {
	b := one("file")
	b.cell("file", 1, 1000, 1000)
	for i := range b.run.Trials {
		h := new(hist.Histogram)
		for range 600 {
			h.Record(int64(100 * (i + 1)))
		}
		b.run.Trials[i].Latency = results.NewLatency(h, results.Each)
		if b.run.Trials[i].Latency.P99NS.Known() {
			t.Fatal("600 values carry no p99")
		}
	}
	if s := summary(t, b.finding(t), "file", 1); s.Hist.Count() != 1200 || s.P99NS < 199 || s.P99NS > 201 {
		t.Errorf("p99 %v of %v", s.P99NS, s.Hist)
	}
}

// The machine slows down by half while the ratio stays at exactly two: pairs
// see it, medians of all would not.
func TestPercentOfSerialIsPairedWithinBlocks(t *testing.T) {
	b := one("file")
	for block, drift := range []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5} {
		b.run.Trials = append(b.run.Trials, trial("file", 1, block+1, 10000*drift))
	}
	for block := 5; block >= 0; block-- { // in another order, as random blocks are
		drift := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5}[block]
		b.run.Trials = append(b.run.Trials, trial("file", 8, block+1, 20000*drift))
	}
	s := summary(t, b.finding(t), "file", 8)
	for _, n := range []results.Number{s.PercentSerial.Median, s.PercentSerial.Low, s.PercentSerial.High} {
		if n < 199.9 || n > 200.1 {
			t.Errorf("percent of serial %v, want 200 throughout", s.PercentSerial)
		}
	}
	if s.OpsPerS.High-s.OpsPerS.Low < 9000 {
		t.Errorf("the negative control does not drift: %v", s.OpsPerS)
	}
}

// Two runs number their blocks alike; only trials of one run are neighbours in
// time.
func TestPairsDoNotCrossRuns(t *testing.T) {
	b := one("file")
	b.run.Envs = append(b.run.Envs, b.run.Envs[0])
	for env, speed := range []float64{1, 10} {
		for block := 1; block <= 6; block++ {
			for _, n := range []int{1, 8} {
				x := trial("file", n, block, 1000*speed*float64(n))
				x.Env = env
				b.run.Trials = append(b.run.Trials, x)
			}
		}
	}
	s := summary(t, b.finding(t), "file", 8)
	if p := s.PercentSerial; p.Low < 799 || p.High > 801 {
		t.Errorf("percent of serial %v, want 800 throughout", p)
	}
}

func TestMissingSerialLevel(t *testing.T) {
	b := one("file")
	b.cell("file", 2, 1000, 1000, 1000, 1000, 1000, 1000)
	b.cell("file", 4, 1000, 1000, 1000, 1000, 1000, 1000)
	f := b.finding(t)
	s := summary(t, f, "file", 4)
	if s.PercentSerial.Median.Known() || s.SerialOpsPerS.Known() {
		t.Errorf("percent of a serial rate that was not measured: %+v", s)
	}
	if text := strings.Join(f.Verdict.Details, "\n"); strings.Contains(text, "serial") {
		t.Errorf("details %s", text)
	}
}

func TestZeroThroughput(t *testing.T) {
	b := one("file", "stuck")
	b.cell("file", 1, 1000, 1000, 1000, 1000, 1000, 1000)
	b.cell("stuck", 1, 0, 0, 0, 0, 0, 0)
	f := b.finding(t)
	s := summary(t, f, "stuck", 1)
	if s.OpsPerS.Median != 0 || s.AllocsPerOp.Known() || s.SerialOpsPerS.Known() || s.PercentSerial.Median.Known() {
		t.Errorf("summary %+v", s)
	}
	if want := "At 1 goroutine: file, 1.00k appends/s, while stuck finished no operation."; f.Verdict.Sentence != want {
		t.Errorf("verdict %s\nwant %s", f.Verdict.Sentence, want)
	}
}

func TestFactorsAreSweptInTheirNaturalOrder(t *testing.T) {
	b := one("file")
	for _, level := range []string{"1024", "3", "128"} {
		for block := 1; block <= 6; block++ {
			for _, n := range []int{1, 4} {
				x := trial("file", n, block, 1000)
				x.Factors = map[string]string{"payload": level, "sync": "off"}
				b.run.Trials = append(b.run.Trials, x)
			}
		}
	}
	f := b.finding(t)
	var order []string
	for _, s := range f.Summaries {
		order = append(order, s.Factors["payload"])
	}
	if got := strings.Join(order, " "); got != "3 3 128 128 1024 1024" {
		t.Errorf("order %s", got)
	}
	text := f.Verdict.Sentence + "\n" + f.Verdict.Scaling + "\n" + strings.Join(f.Verdict.Details, "\n")
	for _, want := range []string{
		"At 4 goroutines with payload=3: file, 1.00k appends/s.\n",
		"At 1 goroutine with payload=3: file, 1.00k appends/s.\n",
		"At 4 goroutines with payload=128: file, 1.00k appends/s.\n",
		"At 4 goroutines with payload=1024: file, 1.00k appends/s.",
		"From 1 to 4 goroutines, file (1.00×, 1.00–1.00) holds its rate (with payload=3).",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// An env that is not there must not end the program.
func TestTrialsWithoutEnv(t *testing.T) {
	b := one("file")
	b.run.Envs = nil
	b.cell("file", 1, 1000)
	b.run.Trials[0].Env = 7
	b.finding(t)
}

func TestAnOutcomeAloneIsAFinding(t *testing.T) {
	run := &results.Run{Outcomes: []results.Outcome{{Experiment: "map", Variant: "plain", Goroutines: 2, Kind: results.OutcomeError, Text: "concurrent map writes"}}}
	r := analysis.Analyze(run)
	if len(r.Findings) != 1 || len(r.Findings[0].Verdict.Details) != 1 {
		t.Fatalf("report %+v", r)
	}
	v := r.Findings[0].Verdict
	if v.Sentence != "Inconclusive: no trial was finished." ||
		v.Details[0] != "plain ended by an error at 2 goroutines, before the first block: concurrent map writes" {
		t.Errorf("verdict %+v", v)
	}
}
