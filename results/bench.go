package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// WriteBench writes the trials of a run in the Go benchmark format, one line
// a trial. ns/op is wall ÷ operations, as stock Go has it, or the inverse of the rate
// where that is another; the promise stands
// in configuration lines, so that benchstat puts variants of different promise
// into different tables. A trial without a finished operation has no ns/op and
// no line. Names are escaped where the format could not hold them; factors
// named variant or goroutines are an error, before anything is written.
func WriteBench(w io.Writer, run *Run) error {
	for _, t := range run.Trials {
		if err := checkBenchName(t); err != nil {
			return fmt.Errorf("write benchmark format: %w", err)
		}
	}
	if err := writeUnits(w, run); err != nil {
		return err
	}
	out := benchfmt.NewWriter(w)
	for _, t := range inOrder(run) {
		if t.Ops == 0 {
			continue
		}
		if err := out.Write(benchResult(run, t)); err != nil {
			return fmt.Errorf("write benchmark format: %w", err)
		}
	}
	return nil
}

// writeUnits declares which way is better for the units benchstat cannot know.
func writeUnits(w io.Writer, run *Run) error {
	lines := "Unit ops/s better=higher\n"
	for _, unit := range []string{"mean-ns", "p50-ns", "p90-ns", "p99-ns", "p999-ns", "max-ns"} {
		lines += "Unit " + unit + " better=lower\n"
	}
	if slices.ContainsFunc(run.Trials, func(t Trial) bool { return t.Lost != nil }) {
		lines += "Unit lost/op better=lower\n"
	}
	if _, err := io.WriteString(w, lines); err != nil {
		return fmt.Errorf("write benchmark format: %w", err)
	}
	return nil
}

// inOrder keeps the trials of one variant together, blocks in their order.
func inOrder(run *Run) []Trial {
	trials := slices.Clone(run.Trials)
	place := map[string]int{}
	for _, t := range trials {
		key := t.Experiment + " " + t.Variant
		if _, seen := place[key]; !seen {
			place[key] = placeOf(run.Experiment(t.Experiment), t.Variant)
		}
	}
	slices.SortStableFunc(trials, func(a, b Trial) int {
		for _, order := range []int{
			a.Env - b.Env,
			strings.Compare(a.Experiment, b.Experiment),
			place[a.Experiment+" "+a.Variant] - place[b.Experiment+" "+b.Variant],
			strings.Compare(a.Variant, b.Variant),
			strings.Compare(FactorKey(a.Factors), FactorKey(b.Factors)),
			a.Goroutines - b.Goroutines,
		} {
			if order != 0 {
				return order
			}
		}
		return a.Block - b.Block
	})
	return trials
}

func placeOf(e Experiment, variant string) int {
	return slices.IndexFunc(e.Variants, func(v Variant) bool { return v.Name == variant })
}

func benchResult(run *Run, t Trial) *benchfmt.Result {
	env := run.EnvOf(t)
	promise := run.Experiment(t.Experiment).Variant(t.Variant).Promise
	result := &benchfmt.Result{Name: benchfmt.Name(benchName(t, run.ProcsOf(t))), Iters: t.Ops, Values: benchValues(t)}
	for _, config := range [][2]string{
		{"goos", env.Machine.GOOS}, {"goarch", env.Machine.GOARCH}, {"cpu", env.Machine.CPU},
		{"loop", goTestOnly(env.Settings.Loop)}, {"order", promise.Order}, {"result", promise.Result}, {"survives", promise.Survives},
	} {
		if config[1] != "" {
			result.Config = append(result.Config, benchfmt.Config{Key: config[0], Value: []byte(config[1]), File: true})
		}
	}
	return result
}

// goTestOnly names the loop where it is not the usual one.
func goTestOnly(loop string) string {
	if loop != GoTest {
		return ""
	}
	return loop
}

// A metric of the benchmark format: its unit and where it lives in a trial.
type metric struct {
	unit string
	get  func(*Trial) Number
	set  func(*Trial, Number)
}

func latencyMetric(unit string, field func(*Latency) *Number) metric {
	return metric{unit,
		func(t *Trial) Number { return *field(&t.Latency) },
		func(t *Trial, n Number) { *field(&t.Latency) = n }}
}

func usageMetric(unit string, field func(*Usage) *Number) metric {
	return metric{unit,
		func(t *Trial) Number { return *field(&t.Usage) / Number(t.Ops) },
		func(t *Trial, n Number) { *field(&t.Usage) = n * Number(t.Ops) }}
}

// metrics are the values of a benchmark line, in order. Wall time comes first:
// the others are read against it.
var metrics = []metric{
	{"ns/op",
		func(t *Trial) Number { return Number(t.RateNS()) / Number(t.Ops) },
		func(t *Trial, n Number) { t.WallNS = roundNS(n * Number(t.Ops)) }},
	{"ops/s",
		func(t *Trial) Number { return Number(t.OpsPerS()) },
		func(*Trial, Number) {}},
	{"mean-ns",
		func(t *Trial) Number { return t.Latency.MeanNS },
		func(t *Trial, n Number) {
			t.Latency.MeanNS = n
			t.GoroutineNS = roundNS(n * Number(t.Ops+t.Failed))
		}},
	latencyMetric("p50-ns", func(l *Latency) *Number { return &l.P50NS }),
	latencyMetric("p90-ns", func(l *Latency) *Number { return &l.P90NS }),
	latencyMetric("p99-ns", func(l *Latency) *Number { return &l.P99NS }),
	latencyMetric("p999-ns", func(l *Latency) *Number { return &l.P999NS }),
	latencyMetric("max-ns", func(l *Latency) *Number { return &l.MaxNS }),
	usageMetric("B/op", func(u *Usage) *Number { return &u.AllocBytes }),
	usageMetric("allocs/op", func(u *Usage) *Number { return &u.Allocs }),
	{"lost/op",
		func(t *Trial) Number { return Number(t.LostShare()) },
		func(t *Trial, n Number) {
			if n.Known() {
				lost := int(math.Round(float64(n) * float64(t.Ops)))
				t.Lost = &lost
			}
		}},
}

// roundNS is 0 for what no int64 holds.
func roundNS(n Number) int64 {
	if !(n >= 0 && n < math.MaxInt64) {
		return 0
	}
	return int64(math.Round(float64(n)))
}

func benchValues(t Trial) []benchfmt.Value {
	var values []benchfmt.Value
	for _, m := range metrics {
		if n := m.get(&t); n.Known() {
			values = append(values, benchfmt.Value{Value: float64(n), Unit: m.unit})
		}
	}
	return values
}
