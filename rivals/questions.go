package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

// A question is a group of rows of the table. Each sets one variant of ours
// against the best of some others.
type question struct {
	title      string
	experiment string
	own        string
	others     []string
	limits     string // the experiment that the others are of: limits of this one; empty: this one
	cells      []cell
	// spread is how far the rates of a cell's trials may lie apart, as the
	// quotient of most and least; 0: any.
	spread float64
	// ranged takes the range of few trials for the interval they cannot carry.
	ranged bool
}

// A cell is a row before it is judged: what ours does at n goroutines, divided
// by so many times what the others do at base goroutines.
type cell struct {
	factors    factors
	n          int
	base       int
	times      float64
	must, goal float64 // 0: none
}

// factors are those that do not stand at their defaults.
type factors map[string]string

// at are cells that compare like with like.
func at(f factors, must, goal float64, levels ...int) []cell {
	var cells []cell
	for _, n := range levels {
		cells = append(cells, cell{factors: f, n: n, base: n, times: 1, must: must, goal: goal})
	}
	return cells
}

// shares compare n goroutines with n times one.
func shares(f factors, must, goal float64, levels ...int) []cell {
	cells := at(f, must, goal, levels...)
	for i := range cells {
		cells[i].base, cells[i].times = 1, float64(cells[i].n)
	}
	return cells
}

var (
	small = factors{"payload": "3"}
	large = factors{"payload": "1024"}
)

// questions is what the project promises of its parts beside other people's: the
// musts and the goals.
func questions() []question {
	cached, durable := rivalsOf(logs.ProcessCrash), rivalsOf(logs.PowerCut)
	return []question{
		{title: "page cache", experiment: "rival-log", own: "file", others: cached, cells: slices.Concat(
			at(small, 5, 12, 1, 4, 8, 64), at(large, 1.2, 5, 1), at(large, 2, 5, 4, 8, 64))},
		{title: "durable", experiment: "rival-log", own: "file-durable", others: durable, cells: slices.Concat(
			at(small, 1, 0, 1), at(small, 0, 0, 4), at(small, 1.5, 2.5, 8), at(small, 1.8, 3.3, 64),
			at(large, 1, 0, 1), at(large, 0, 0, 4), at(large, 1.5, 2.5, 8), at(large, 1.8, 3.3, 64))},
		{title: "durable, share of N", experiment: "rival-share", own: "file-durable", others: []string{"prepared"}, limits: "rival-limits", spread: 3,
			cells: slices.Concat(shares(small, 0.5, 0.85, 8, 64), shares(large, 0.5, 0.85, 8, 64))},
		{title: "durable, share of a batch of 64", experiment: "rival-share", own: "file-durable", others: []string{"batch"}, limits: "rival-limits",
			cells: slices.Concat(shares(small, 0, 0, trials.Batched), shares(large, 0, 0, trials.Batched))},
		{title: "durable, several segments", experiment: "rival-steady", own: "file-durable", others: trials.SteadyRivals(),
			cells: at(large, 1.8, 3.3, 64)},
		{title: "memory", experiment: "rival-memory", own: "memory", others: []string{"naive-memory"}, cells: slices.Concat(
			at(small, 5, 10, 1), at(small, 2, 4, 2, 8, 64))},
		{title: "memory, N = 64 ÷ N = 2", experiment: "rival-memory", own: "memory", others: []string{"memory"},
			cells: []cell{{factors: small, n: 64, base: 2, times: 1, must: 0.5}}},
		{title: "async, durable", experiment: "rival-async", own: "async-durable", others: []string{"file-durable"}, cells: slices.Concat(
			at(small, 1, 2, 1, 4, 8, 64), at(large, 1, 2, 1, 4, 8, 64))},
		{title: "random get", experiment: "rival-get", own: "file", others: []string{"tidwall"},
			cells: at(factors{"payload": "128"}, 4, 10, 1, 8)},
		{title: "random get, not copied", experiment: "rival-get", own: "file", others: []string{"tidwall-nocopy"},
			cells: at(factors{"payload": "128"}, 0, 0, 1, 8)},
		{title: "mixed", experiment: "rival-mixed", own: "file", others: namesOf(trials.Stores()), cells: slices.Concat(
			at(factors{"reads": "50"}, 4, 10, 8), at(factors{"reads": "90"}, 4, 10, 8))},
		{title: "set, thread-safe", experiment: "rival-set", own: "set", others: []string{"golang-set"}, cells: mixes(1, 1, 2, 8, 64)},
		{title: "set, not thread-safe", experiment: "rival-set", own: "nonts", others: []string{"golang-set-unsafe"}, cells: mixes(1, 1)},
		{title: "set, not thread-safe, ÷ map", experiment: "rival-set", own: "nonts", others: []string{"map"}, cells: mixes(0.9, 1)},
		{title: "aggregated reads", experiment: "rival-aggregate", own: "buffer", others: []string{"one-by-one"},
			cells: at(factors{"run": "64"}, 2, 10, 64)},
		{title: "aggregated reads, channel", experiment: "rival-aggregate", own: "channel", others: []string{"one-by-one"},
			cells: at(factors{"run": "64"}, 2, 10, 64)},
		{title: "past dirty limits", experiment: "rival-past-limits", own: "file", others: trials.PastLimitsRivals(), ranged: true,
			cells: slices.Concat(at(large, 1.2, 5, 1), at(large, 2, 5, 8))},
		{title: "counter, striped ÷ atomic", experiment: "rival-counter", own: "striped", others: []string{"atomic"},
			cells: at(nil, 3, 4.5, 2, 8, 64)},
		{title: "counter", experiment: "rival-counter", own: "striped", others: []string{"xsync"}, cells: at(nil, 0, 0, 1, 2, 8, 64)},
		{title: "actor", experiment: "rival-protoactor", own: "actor", others: []string{"protoactor"}, cells: at(nil, 4, 8, 1, 8, 64)},
		{title: "actor", experiment: "rival-hollywood", own: "actor", others: []string{"hollywood"}, cells: at(nil, 2.5, 5, 1, 8, 64)},
		{title: "map", experiment: "rival-map", own: "sharded", others: []string{"xsync"}, cells: slices.Concat(
			at(factors{"writes": "90"}, 0, 0, 1, 8, 64), at(factors{"writes": "50"}, 0, 0, 1, 8, 64), at(factors{"writes": "10"}, 0, 0, 1, 8, 64))},
	}
}

// setMixes are the percentages of writes at which sets are compared.
var setMixes = []string{"100", "90", "50", "10", "1"}

// mixes are cells of like with like at every mix.
func mixes(must float64, levels ...int) []cell {
	var cells []cell
	for _, writes := range setMixes {
		cells = append(cells, at(factors{"writes": writes}, must, 0, levels...)...)
	}
	return cells
}

// rivalsOf are the names of other people's logs with a promise.
func rivalsOf(survives string) []string {
	return namesOf(slices.DeleteFunc(logs.Rivals(), func(r logs.Rival) bool { return r.Promise.Survives != survives }))
}

// namesOf leaves out ours.
func namesOf(all []logs.Rival) []string {
	var names []string
	for _, r := range all {
		if r.Name != "file" && r.Name != "file-durable" {
			names = append(names, r.Name)
		}
	}
	return names
}

// chosen are the questions of the named experiments; of all, if none is named.
func chosen(only []string) []question {
	return slices.DeleteFunc(questions(), func(q question) bool {
		return len(only) > 0 && !slices.Contains(only, q.experiment)
	})
}

// levels are all factors of a cell of the experiment.
func (c cell) levels(e harness.Experiment) map[string]string {
	all := map[string]string{}
	for _, f := range e.Factors {
		all[f.Name] = f.Default
	}
	maps.Copy(all, c.factors)
	return all
}

// name tells the cell from others of its question.
func (c cell) name() string {
	var words []string
	for _, factor := range slices.Sorted(maps.Keys(c.factors)) {
		words = append(words, factor+" "+c.factors[factor])
	}
	return strings.Join(append(words, "N = "+strconv.Itoa(c.n)), ", ")
}

// divisor names what ours is divided by where it is not the like at the same N.
func (c cell) divisor(variant string) string {
	if c.base != c.n {
		variant += " at N = " + strconv.Itoa(c.base)
	}
	if c.times != 1 {
		variant = strconv.FormatFloat(c.times, 'g', -1, 64) + " × " + variant
	}
	return variant
}
