package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// tallies counts, cell by cell, how the trials without a rate went.
func tallies(e results.Experiment, outcomes []results.Outcome) []results.Tally {
	var all []results.Tally
	trials := map[results.Cell]int{}
	for _, o := range outcomes {
		if o.Kind != results.OutcomeEnded && o.Kind != results.OutcomeFinished {
			continue
		}
		cell := o.Cell()
		trials[cell]++
		at := slices.IndexFunc(all, func(t results.Tally) bool { return t.Cell() == cell && t.Kind == o.Kind && t.Text == o.Text })
		if at < 0 {
			at = len(all)
			all = append(all, results.Tally{Experiment: o.Experiment, Variant: o.Variant, Factors: o.Factors,
				Goroutines: o.Goroutines, Promise: e.Variant(o.Variant).Promise, Kind: o.Kind, Text: o.Text})
		}
		all[at].Count++
	}
	for i := range all {
		all[i].Trials = trials[all[i].Cell()]
	}
	slices.SortStableFunc(all, func(a, b results.Tally) int {
		return cmp.Or(cmp.Compare(a.Variant, b.Variant), naturally(results.FactorKey(a.Factors), results.FactorKey(b.Factors)),
			a.Goroutines-b.Goroutines, b.Count-a.Count)
	})
	return all
}

// observed says of every variant without a rate how its trials went.
func observed(all []results.Tally) []string {
	var sentences, variants []string
	for _, t := range all {
		if !slices.Contains(variants, t.Variant) {
			variants = append(variants, t.Variant)
			sentences = append(sentences, observedVariant(t.Variant, all))
		}
	}
	return sentences
}

func observedVariant(variant string, all []results.Tally) string {
	type way struct{ kind, text string }
	var ways []way
	count, levels, trials := map[way]int{}, map[way][]int{}, 0
	keys := map[string]bool{}
	for _, t := range all {
		if t.Variant != variant {
			continue
		}
		keys[results.FactorKey(t.Factors)] = true
		w := way{t.Kind, t.Text}
		if !slices.Contains(ways, w) {
			ways = append(ways, w)
		}
		count[w] += t.Count
		trials += t.Count
		if !slices.Contains(levels[w], t.Goroutines) {
			levels[w] = append(levels[w], t.Goroutines)
		}
	}
	slices.SortStableFunc(ways, func(a, b way) int { return count[b] - count[a] })
	var parts []string
	for _, w := range ways {
		verb := "finished, which promises nothing"
		if w.kind == results.OutcomeEnded {
			verb = "ended the process"
		}
		slices.Sort(levels[w])
		parts = append(parts, fmt.Sprintf("%d of %d trials %s, at N = %s: %s", count[w], trials, verb, numbers(levels[w]), w.text))
	}
	over := ""
	if len(keys) > 1 {
		over = ", over all levels of its factors"
	}
	return fmt.Sprintf("%s has no rate%s: %s.", variant, over, strings.Join(parts, "; "))
}

func numbers(all []int) string {
	var words []string
	for _, n := range all {
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, ", ")
}
