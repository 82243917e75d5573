package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// A count is how many thresholds came out in each way.
type count struct{ passed, failed, unseen int }

func (c *count) add(g results.Gate) {
	switch g.Status {
	case results.GatePassed:
		c.passed++
	case results.GateFailed:
		c.failed++
	default:
		c.unseen++
	}
}

func (c *count) of() int { return c.passed + c.failed + c.unseen }

// A pair is two runs, of which the older is the first.
type pair struct{ older, newer *results.Run }

// each is each run with each that was measured before it.
func each(all []*results.Run) (pairs []pair) {
	for i, older := range all {
		for _, newer := range all[i+1:] {
			pairs = append(pairs, pair{older, newer})
		}
	}
	return pairs
}

// across is each of some runs with each of others.
func across(baselines, runs []*results.Run) (pairs []pair) {
	for _, newer := range runs {
		for _, older := range baselines {
			pairs = append(pairs, pair{older, newer})
		}
	}
	return pairs
}

// alike holds equal runs to each other.
func (p plan) alike(w io.Writer, pairs []pair) {
	called, failed, thresholds := 0, 0, count{}
	of := map[string]*count{}
	for _, pair := range pairs {
		c := analysis.Compare(pair.older, pair.newer)
		if differs(c) {
			called++
		}
		before := thresholds.failed
		for _, g := range analysis.GateChanges(c, p.drop) {
			thresholds.add(g)
			name := variantOf(g)
			if of[name] == nil {
				of[name] = new(count)
			}
			of[name].add(g)
		}
		if thresholds.failed > before {
			failed++
		}
	}
	fmt.Fprintf(w, "Of %d pairs of equal runs %d call a cell or a variant different (%.0f %%), and %d fail a threshold of %.0f %% (%.0f %%). Of %d thresholds %d pass, %d fail, %d cannot be told: %.0f %% decided.\n\n",
		len(pairs), called, percent(called, len(pairs)), failed, 100*p.drop, percent(failed, len(pairs)), thresholds.of(), thresholds.passed, thresholds.failed, thresholds.unseen, percent(thresholds.passed+thresholds.failed, thresholds.of()))
	fmt.Fprintf(w, "| threshold | passes | fails | cannot be told |\n|---|---|---|---|\n")
	for _, name := range sorted(of) {
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", name, of[name].passed, of[name].failed, of[name].unseen)
	}
	fmt.Fprintln(w)
}

// differs reports whether anything is called better or worse.
func differs(c *results.Comparison) bool {
	called := func(c results.Change) bool { return c.Call == results.Better || c.Call == results.Worse }
	return slices.ContainsFunc(c.Changes, called) || slices.ContainsFunc(c.Pooled, func(p results.Pooled) bool { return called(p.Change) })
}

// planted slows each variant in turn, in the newer run of each pair.
func (p plan) planted(w io.Writer, pairs []pair) {
	if len(pairs) == 0 {
		return
	}
	fmt.Fprintf(w, "One variant slowed by %.0f %% in the records of the newer run, threshold %.0f %%:\n\n", 100*p.slower, 100*p.drop)
	fmt.Fprintf(w, "| slowed | fails | cannot be told | passes | pairs in which another fails |\n|---|---|---|---|---|\n")
	planted, found, falsely := 0, 0, 0
	for _, name := range variants(pairs[0].newer) {
		its, others := count{}, 0
		for _, pair := range pairs {
			other, before := false, its.failed
			for _, g := range analysis.GateChanges(analysis.Compare(pair.older, slow(pair.newer, name, p.slower)), p.drop) {
				if variantOf(g) == name {
					its.add(g)
				} else if g.Status == results.GateFailed {
					other = true
				}
			}
			if other {
				others++
			}
			if planted++; its.failed > before {
				found++
			}
		}
		falsely += others
		fmt.Fprintf(w, "| %s | %d of %d | %d | %d | %d |\n", name, its.failed, its.of(), its.unseen, its.passed, others)
	}
	fmt.Fprintf(w, "\nOf %d such comparisons %d fail (%.0f %%), and in %d another variant fails.\n", planted, found, percent(found, planted), falsely)
}

// slow is a run of which one variant takes longer, so that so much less is done a second.
func slow(run *results.Run, name string, by float64) *results.Run {
	slowed := *run
	slowed.Trials = slices.Clone(run.Trials)
	longer := func(ns int64) int64 { return int64(float64(ns) / (1 - by)) }
	for i := range slowed.Trials {
		if t := &slowed.Trials[i]; t.Experiment+"/"+t.Variant == name {
			t.WallNS, t.EndsNS, t.CyclesNS, t.GoroutineNS = longer(t.WallNS), longer(t.EndsNS), longer(t.CyclesNS), longer(t.GoroutineNS)
		}
	}
	return &slowed
}

// variantOf is the variant that a threshold holds, log/file, with all that a run measures of it.
func variantOf(g results.Gate) string {
	name, _, _ := strings.Cut(g.Threshold, ":")
	name, _, _ = strings.Cut(name, " over ")
	name, _, _ = strings.Cut(name, "@")
	parts := strings.SplitN(name, "/", 3) // behind the variant stand its factors
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func variants(run *results.Run) []string {
	of := map[string]*count{}
	for _, t := range run.Trials {
		if !run.Along(t.Experiment) {
			of[t.Experiment+"/"+t.Variant] = nil
		}
	}
	return sorted(of)
}

func sorted(of map[string]*count) []string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
