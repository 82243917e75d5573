package main

import (
	"cmp"
	"slices"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
	"github.com/syncwrite/syncwrite/stats"
)

// A row is one cell of the table, judged.
type row struct {
	Record     string            `json:"record"` // rival
	Question   string            `json:"question"`
	Experiment string            `json:"experiment"`
	Factors    map[string]string `json:"factors"`
	Goroutines int               `json:"goroutines"`
	Own        string            `json:"own"`
	Ours       results.Interval  `json:"ours_ops_per_s"`
	Rival      string            `json:"rival"` // the best; empty: none was measured
	Base       int               `json:"rival_goroutines"`
	Times      float64           `json:"rival_times"` // the rival's rate counts so often
	Best       results.Interval  `json:"rival_ops_per_s"`
	Ratio      results.Interval  `json:"ratio"`    // ours ÷ (times × rival's), paired by block
	Interval   string            `json:"interval"` // of the ratio: confidence or range
	Blocks     int               `json:"blocks"`   // that the ratio is of
	Spread     results.Number    `json:"spread"`   // most ÷ least of our trials' rates
	Must       float64           `json:"must"`     // 0: none
	Goal       float64           `json:"goal"`
	Status     string            `json:"status"`
	Missing    []string          `json:"missing,omitempty"` // rivals without a trial here

	cell      cell
	maxSpread float64
}

// What an interval is.
const (
	confidence = "95 %"
	ranged     = "range"
)

// What can become of a must. It fails only if the whole interval is below it,
// or if our trials differ more than they may.
const (
	holds      = "holds"
	inDoubt    = "in doubt" // the interval lies on both sides
	failed     = "fails"
	unseen     = "no interval"
	noMust     = "no must"
	unmeasured = "not measured"
)

// judge holds every cell of the questions to its must.
func judge(run *results.Run, all []question) []row {
	measured := byCell(run)
	var rows []row
	for _, q := range all {
		for _, c := range q.cells {
			rows = append(rows, q.judge(c, measured))
		}
	}
	return rows
}

// A place is where trials of one cell are found.
type place struct {
	experiment, variant, factors string
	n                            int
}

func byCell(run *results.Run) map[place][]results.Trial {
	all := map[place][]results.Trial{}
	for _, t := range run.Trials {
		if t.Ops > 0 {
			at := place{t.Experiment, t.Variant, results.FactorKey(t.Factors), t.Goroutines}
			all[at] = append(all[at], t)
		}
	}
	return all
}

// judge finds the best rival, that is the one our ratio to is lowest, and holds
// the ratio to the must.
func (q question) judge(c cell, measured map[place][]results.Trial) row {
	e, _ := trials.Experiment(q.experiment) // a test looks whether there is one
	levels := c.levels(e)
	trials := func(experiment, variant string, n int) []results.Trial {
		return measured[place{experiment, variant, results.FactorKey(levels), n}]
	}
	own := trials(q.experiment, q.own, c.n)
	r := row{
		Record: "rival", Question: q.title, Experiment: q.experiment, Factors: levels, Goroutines: c.n,
		Own: q.own, Ours: throughput(own), Base: c.base, Times: c.times, Best: results.NoInterval(),
		Ratio: results.NoInterval(), Interval: confidence, Spread: spread(own),
		Must: c.must, Goal: c.goal, cell: c, maxSpread: q.spread,
	}
	for _, name := range q.others {
		theirs := trials(cmp.Or(q.limits, q.experiment), name, c.base)
		ratio, blocks, kind := q.ratio(own, theirs, c.times)
		switch {
		case blocks == 0:
			r.Missing = append(r.Missing, name)
		case r.Rival == "" || ratio.Median < r.Ratio.Median:
			r.Rival, r.Best = name, throughput(theirs)
			r.Ratio, r.Blocks, r.Interval = ratio, blocks, kind
		}
	}
	r.Status = r.status()
	return r
}

func (r row) status() string {
	switch {
	case r.Rival == "":
		return unmeasured
	case r.Must == 0:
		return noMust
	case r.tooFarApart():
		return failed
	case !r.Ratio.Bounded():
		return unseen
	case r.below():
		return failed
	case float64(r.Ratio.Low) < r.Must:
		return inDoubt
	}
	return holds
}

// below reports whether the whole interval is below the must.
func (r row) below() bool { return r.Ratio.Bounded() && float64(r.Ratio.High) < r.Must }

// tooFarApart reports whether our trials differ more than the question allows.
func (r row) tooFarApart() bool { return r.maxSpread > 0 && float64(r.Spread) >= r.maxSpread }

func throughput(trials []results.Trial) results.Interval {
	return interval(stats.MedianInterval(rates(trials), analysis.Confidence))
}

func rates(trials []results.Trial) []float64 {
	var all []float64
	for _, t := range trials {
		all = append(all, t.OpsPerS())
	}
	return all
}

func spread(trials []results.Trial) results.Number {
	if len(trials) == 0 {
		return results.Missing()
	}
	all := rates(trials)
	return results.Number(slices.Max(all) / slices.Min(all))
}

// ratio is ours ÷ (times × theirs), block by block, so that what slowed the
// machine for both cancels out. It tells how many blocks it is of, and what its
// interval is.
func (q question) ratio(ours, theirs []results.Trial, times float64) (i results.Interval, blocks int, kind string) {
	num, den := paired(ours, theirs)
	for i := range den {
		den[i] *= times
	}
	ratio := stats.PairedRatio(num, den, analysis.Confidence)
	i = interval(ratio)
	if !q.ranged || i.Bounded() || len(num) == 0 {
		return i, len(num), confidence
	}
	ratio.Low, ratio.High = ends(num, den)
	return interval(ratio), len(num), ranged
}

// paired are the rates of the blocks in which both were measured.
func paired(xs, ys []results.Trial) (num, den []float64) {
	type block struct{ env, block int }
	rates := map[block]float64{}
	for _, t := range ys {
		rates[block{t.Env, t.Block}] = t.OpsPerS()
	}
	for _, t := range xs {
		if rate, both := rates[block{t.Env, t.Block}]; both {
			num, den = append(num, t.OpsPerS()), append(den, rate)
		}
	}
	return num, den
}

// ends are the lowest and the highest quotient.
func ends(num, den []float64) (low, high float64) {
	var all []float64
	for i := range num {
		all = append(all, num[i]/den[i])
	}
	return slices.Min(all), slices.Max(all)
}

func interval(i stats.Interval) results.Interval {
	return results.Interval{Median: results.Number(i.Median), Low: results.Number(i.Low), High: results.Number(i.High)}
}
