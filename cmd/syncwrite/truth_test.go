//go:build selftest

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A truth is an operation whose cost is known, and what has to be shown of it.
type truth struct {
	name    string
	n       int
	variant harness.Variant
	timeout time.Duration
	want    func() map[string]float64 // figure by name, see figures; asked just before the run, since what a machine has to give changes by the minute
	slack   float64                   // what the truth leaves out, as a share of it: here a lock's way from one goroutine to the next
	doubt   string                    // the code of a doubt that has to stand beside it
	error   string                    // what its outcome has to say, if it has no rate
}

// figures are what a summary shows, by the names in a truth.
func figures(s results.Summary) map[string]float64 {
	return map[string]float64{
		"ops/s": float64(s.OpsPerS.Median), "mean": float64(s.MeanNS.Median), "p50": float64(s.P50NS),
		"p99": float64(s.P99NS), "max": float64(s.MaxNS), "effective": float64(s.Effective),
	}
}

// believed is how far a figure may be from the truth that stands without doubt.
const believed = 0.15

// TestSelfKnownTruth prints truth, shown and whether that is right. Wrong is a
// figure that is far from the truth and has no doubt beside it.
func TestSelfKnownTruth(t *testing.T) {
	for _, c := range truths(runtime.GOMAXPROCS(0)) {
		var want map[string]float64
		if c.want != nil {
			want = c.want()
		}
		run, err := harness.Run(t.Context(), harness.Config{Goroutines: []int{c.n}, Dir: t.TempDir(), Timeout: c.timeout},
			harness.Experiment{Name: "truth", Question: "Is it so?", Variants: []harness.Variant{c.variant}})
		if err != nil {
			t.Fatal(err)
		}
		c.judge(t, run, want)
	}
}

func (c truth) judge(t *testing.T, run *results.Run, wanted map[string]float64) {
	name := fmt.Sprintf("%s, N = %d", c.name, c.n)
	if c.error != "" {
		said := "nothing"
		if len(run.Outcomes) > 0 {
			said = run.Outcomes[0].Text
		}
		row(t, name, c.error, said, strings.Contains(said, c.error))
		return
	}
	s := analysis.Analyze(run).Findings[0].Summaries[0]
	var codes []string
	for _, w := range s.Warnings {
		codes = append(codes, w.Code)
	}
	doubts := strings.Join(codes, " ")
	for figure, want := range wanted {
		got := figures(s)[figure]
		far := believed + c.slack
		right := got > want*(1-far) && (got < want*(1+far) || figure == "max") // a maximum holds the host's longest interruption too
		row(t, name+", "+figure, results.Number(want).Three(), results.Number(got).Three()+" "+doubts, right || strings.Contains(doubts, results.WarnDisturbed))
	}
	if c.doubt != "" {
		row(t, name, c.doubt, doubts, strings.Contains(doubts, c.doubt))
	}
}

func row(t *testing.T, name, truth, shown string, right bool) {
	t.Helper()
	if right {
		t.Logf("%-46s truth %-14s shown %s", name, truth, shown)
	} else {
		t.Errorf("%-46s truth %-14s shown %s: WRONG", name, truth, shown)
	}
}

// known is the operation of a variant of known-cost, for one goroutine.
func known(variant string) harness.Operation {
	i, err := experiments.KnownCost().Only(variant).Variants[0].Open(harness.Setup{})
	if err != nil {
		panic(err)
	}
	return i.Worker(0)
}

// costOf is what an operation takes where so many goroutines do it at once, in ns,
// over a window as long as a trial's: what a hypervisor takes meanwhile, and by how
// much this machine's timers are late, is part of it.
func costOf(variant string, goroutines int) float64 {
	const window = 220 * time.Millisecond
	var did atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for range goroutines {
		group.Go(func() {
			for do := known(variant); time.Since(began) < window; did.Add(1) {
				do()
			}
		})
	}
	group.Wait()
	return float64(time.Since(began)) * float64(goroutines) / float64(did.Load())
}

// spinMedian is the median cost of a spin in ns: without what interrupts a few.
func spinMedian() float64 {
	spin := known("spin")
	took := make([]time.Duration, 10_000)
	for i := range took {
		began := time.Now()
		spin()
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return float64(took[len(took)/2])
}

// truths are made of what known operations cost in a plain loop.
func truths(procs int) []truth {
	free := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	variants := map[string]harness.Variant{}
	for _, v := range experiments.KnownCost().Variants {
		variants[v.Name] = v
	}
	var all []truth
	for _, n := range []int{1, 2, 16, 64, 2000} {
		all = append(all, truth{name: "spin", n: n, variant: variants["spin"], want: func() map[string]float64 {
			working := min(n, procs)
			rate := float64(working) / costOf("spin", working) * 1e9
			return map[string]float64{"ops/s": rate, "mean": float64(n) / rate * 1e9, "effective": float64(n)}
		}})
	}
	for _, n := range []int{1, 16} {
		all = append(all, truth{name: "spin under a mutex", n: n, variant: variants["spin-mutex"], slack: 0.1, want: func() map[string]float64 {
			cost := costOf("spin", 1)
			return map[string]float64{"ops/s": 1e9 / cost, "mean": float64(n) * cost}
		}})
	}
	for _, n := range []int{1, 64} {
		all = append(all, truth{name: "sleep of 1 ms", n: n, variant: variants["sleep"], want: func() map[string]float64 {
			cost := costOf("sleep", n)
			return map[string]float64{"ops/s": float64(n) / cost * 1e9, "mean": cost}
		}})
	}
	return append(all,
		truth{name: "one in ten takes 100 times as long", n: 1, variant: now("bimodal", free, func(i int) int { return 1 + 99*b2i(i%10 == 0) }),
			want: spun(func(cost float64) map[string]float64 {
				return map[string]float64{"ops/s": 1e9 / cost / 10.9, "p50": spinMedian(), "p99": 100 * cost}
			})},
		truth{name: "a stall of 20 ms every 1,000", n: 1, variant: stalls(free),
			want: spun(func(cost float64) map[string]float64 {
				return map[string]float64{"ops/s": 1e9 / (cost + 20e3), "max": 20e6}
			})},
		truth{name: "first call of 20 ms", n: 1, variant: slowStart(free, 20*time.Millisecond, false), doubt: results.WarnSlowStart},
		truth{name: "first call of 50 ms", n: 1, variant: slowStart(free, 50*time.Millisecond, false), doubt: results.WarnSlowStart},
		truth{name: "first call of 2 s, once", n: 1, variant: slowStart(free, 2*time.Second, true),
			want: spun(func(cost float64) map[string]float64 { return map[string]float64{"ops/s": 1e9 / cost} })},
		truth{name: "never returns", n: 2, variant: harness.Func("blocks", free, func() error { select {} }), timeout: time.Second, error: "not done after 1s"},
		truth{name: "panics", n: 2, variant: harness.Func("panics", free, func() error { panic("planted") }), error: "panic: planted"},
	)
}

// spun is what is wanted of an operation that spins alone.
func spun(of func(cost float64) map[string]float64) func() map[string]float64 {
	return func() map[string]float64 { return of(costOf("spin", 1)) }
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// now spins so many times at its i-th operation.
func now(name string, p results.Promise, times func(i int) int) harness.Variant {
	return harness.Variant{Name: name, Promise: p, Open: func(harness.Setup) (harness.Instance, error) {
		return harness.Instance{Worker: func(int) harness.Operation {
			spin, i := known("spin"), 0
			return func() error {
				i++
				for range times(i) {
					spin()
				}
				return nil
			}
		}}, nil
	}}
}

// stalls sleeps 20 ms at every thousandth operation.
func stalls(p results.Promise) harness.Variant {
	return harness.Variant{Name: "stalls", Promise: p, Open: func(harness.Setup) (harness.Instance, error) {
		return harness.Instance{Worker: func(int) harness.Operation {
			spin, i := known("spin"), 0
			return func() error {
				if i++; i%1000 == 0 {
					time.Sleep(20 * time.Millisecond)
				}
				return spin()
			}
		}}, nil
	}}
}

// slowStart takes its time at the first operation of a trial, or of the process.
func slowStart(p results.Promise, first time.Duration, once bool) harness.Variant {
	var ever sync.Once
	return harness.Variant{Name: "slow-start", Promise: p, Open: func(harness.Setup) (harness.Instance, error) {
		var started atomic.Bool
		return harness.Instance{Worker: func(int) harness.Operation {
			spin := known("spin")
			return func() error {
				if once {
					ever.Do(func() { time.Sleep(first) })
				} else if started.CompareAndSwap(false, true) {
					time.Sleep(first)
				}
				return spin()
			}
		}}, nil
	}}
}

// What others take, and what a quota keeps back, stands as a doubt beside the
// figures that it spoils.
func TestSelfKnownDisturbances(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "syncwrite")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	measure := func(t *testing.T, before string) string {
		out, err := exec.Command("sh", "-c", before+"; exec "+bin+" run known-cost/spin -g 1,2 --time 150ms -o - --quiet").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Run("neighbour", func(t *testing.T) {
		for range runtime.NumCPU() {
			busy := exec.Command("sh", "-c", "while :; do :; done")
			if err := busy.Start(); err != nil {
				t.Fatal(err)
			}
			defer busy.Wait()
			defer busy.Process.Kill()
		}
		out := measure(t, ":")
		row(t, "busy neighbours on all processors", results.WarnDisturbed, found(out), strings.Contains(found(out), results.WarnDisturbed))
	})
	t.Run("quota", func(t *testing.T) {
		const group = "/sys/fs/cgroup/cpu/syncwrite-selftest"
		if err := os.Mkdir(group, 0o755); err != nil {
			t.Skipf("no cgroup v1 to make a quota in: %v", err)
		}
		defer os.Remove(group)
		if err := os.WriteFile(group+"/cpu.cfs_quota_us", []byte("50000"), 0o644); err != nil {
			t.Skipf("no quota: %v", err)
		}
		out := measure(t, "echo $$ > "+group+"/cgroup.procs")
		row(t, "quota of half a processor", results.WarnThrottled, found(out), strings.Contains(found(out), results.WarnThrottled))
		row(t, "quota of half a processor", `"cpu_quota":0.5`, "the same", strings.Contains(out, `"cpu_quota":0.5`))
	})
}

// found lists the codes of the doubts in a summary.
func found(jsonl string) string {
	var codes []string
	for line := range strings.Lines(jsonl) {
		if !strings.HasPrefix(line, `{"record":"summary"`) {
			continue
		}
		for _, code := range []string{results.WarnDisturbed, results.WarnThrottled, results.WarnProcessors} {
			if strings.Contains(line, `"code":"`+code+`"`) {
				codes = append(codes, code)
			}
		}
	}
	return strings.Join(codes, " ")
}
