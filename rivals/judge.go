package main

import (
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A row is one cell of the table, judged.
type row struct {
	Record     string           `json:"record"` // rival
	Survives   string           `json:"survives"`
	Payload    int              `json:"payload"`
	Goroutines int              `json:"goroutines"`
	Ours       results.Interval `json:"ours_ops_per_s"`
	Rival      string           `json:"rival"` // the best of equal promise
	Best       results.Interval `json:"rival_ops_per_s"`
	Ratio      results.Interval `json:"ratio"` // ours ÷ best, paired by block
	Must       float64          `json:"must"`  // 0: none
	Goal       float64          `json:"goal"`
	Status     string           `json:"status"`
	Missing    []string         `json:"missing,omitempty"` // rivals of equal promise without a trial here
}

// What can become of a must. It fails only if the whole interval is below it.
const (
	holds   = "holds"
	inDoubt = "in doubt" // the interval lies on both sides
	failed  = "fails"
	unseen  = "no interval"
	noMust  = "no must"
)

func (r row) cell() cell { return cell{r.Survives, r.Payload, r.Goroutines} }

// judge makes the table of a run: the cells that have a mark, and what else was
// measured of ours.
func judge(run *results.Run) []row {
	order, marks := musts()
	trials := byVariant(run)
	for c := range trials {
		if !slices.Contains(order, c) && c.survives != nothing {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order[len(marks):], compareCells)
	var rows []row
	for _, c := range order {
		rows = append(rows, judgeCell(c, marks[c], trials[c]))
	}
	return rows
}

// byVariant sorts the trials of rival-log by cell and variant.
func byVariant(run *results.Run) map[cell]map[string][]results.Trial {
	all := map[cell]map[string][]results.Trial{}
	e := run.Experiment("rival-log")
	for _, t := range run.Trials {
		payload, err := strconv.Atoi(t.Factors["payload"])
		if t.Experiment != e.Name || t.Ops == 0 || err != nil {
			continue
		}
		c := cell{e.Variant(t.Variant).Promise.Survives, payload, t.Goroutines}
		if all[c] == nil {
			all[c] = map[string][]results.Trial{}
		}
		all[c][t.Variant] = append(all[c][t.Variant], t)
	}
	return all
}

// judgeCell finds the best rival, that is the one our ratio to is lowest, and
// holds the ratio to the mark.
func judgeCell(c cell, m mark, variants map[string][]results.Trial) row {
	r := row{
		Record: "rival", Survives: c.survives, Payload: c.payload, Goroutines: c.n,
		Ours: results.NoInterval(), Best: results.NoInterval(), Ratio: results.NoInterval(), Must: m.must, Goal: m.goal,
	}
	own, others := contestants(c.survives)
	r.Ours = throughput(variants[own])
	for _, name := range others {
		if len(variants[name]) == 0 {
			r.Missing = append(r.Missing, name)
			continue
		}
		ratio := paired(variants[own], variants[name])
		if r.Rival == "" || ratio.Median < r.Ratio.Median {
			r.Rival, r.Ratio, r.Best = name, ratio, throughput(variants[name])
		}
	}
	r.Status = status(r.Ratio, m.must)
	return r
}

// contestants are our variant of a promise and the rivals of the same.
func contestants(survives string) (own string, others []string) {
	for _, r := range rivals() {
		switch {
		case r.promise.Survives != survives:
		case r.name == "file" || r.name == "file-durable":
			own = r.name
		default:
			others = append(others, r.name)
		}
	}
	return own, others
}

func status(ratio results.Interval, must float64) string {
	switch {
	case must == 0:
		return noMust
	case !ratio.Bounded():
		return unseen
	case float64(ratio.High) < must:
		return failed
	case float64(ratio.Low) < must:
		return inDoubt
	}
	return holds
}

func throughput(trials []results.Trial) results.Interval {
	rates := make([]float64, len(trials))
	for i, t := range trials {
		rates[i] = t.OpsPerS()
	}
	return interval(stats.MedianInterval(rates, analysis.Confidence))
}

// paired is the ratio of two variants' throughputs, block by block, so that what
// slowed the machine for both cancels out.
func paired(xs, ys []results.Trial) results.Interval {
	type block struct{ env, block int }
	rates := map[block]float64{}
	for _, t := range ys {
		rates[block{t.Env, t.Block}] = t.OpsPerS()
	}
	var num, den []float64
	for _, t := range xs {
		if rate, both := rates[block{t.Env, t.Block}]; both {
			num, den = append(num, t.OpsPerS()), append(den, rate)
		}
	}
	return interval(stats.PairedRatio(num, den, analysis.Confidence))
}

func interval(i stats.Interval) results.Interval {
	return results.Interval{Median: results.Number(i.Median), Low: results.Number(i.Low), High: results.Number(i.High)}
}
