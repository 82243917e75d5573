package main

import (
	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A row is ours against one rival in one cell.
type row struct {
	Record   string           `json:"record"` // foreign
	Survives string           `json:"survives"`
	Payload  int              `json:"payload"`
	Threads  int              `json:"threads"`
	Rival    string           `json:"rival"`
	Ours     results.Interval `json:"ours_ops_per_s"`
	Theirs   results.Interval `json:"rival_ops_per_s"`
	Ratio    results.Interval `json:"ratio"` // ours ÷ theirs, paired by block
	Goal     float64          `json:"goal"`
	Status   string           `json:"status"`
}

// What can become of a goal. It is missed only if the whole interval is below it.
const (
	reached = "reached"
	inDoubt = "in doubt" // the interval lies on both sides
	missed  = "missed"
	unseen  = "no interval"
)

// judge makes a row of each cell and rival that was measured.
func judge(trials []trial, all []driver) []row {
	rates := byCell(trials)
	var rows []row
	for _, c := range cellsOf(trials) {
		for _, d := range all {
			if theirs := rates[c][d.name]; !d.ours && theirs != nil {
				rows = append(rows, judgeCell(c, d.name, rates[c][oursAt(c.survives, all)], theirs))
			}
		}
	}
	return rows
}

func oursAt(survives string, all []driver) string {
	for _, d := range all {
		if d.ours && d.survives == survives {
			return d.name
		}
	}
	return ""
}

// byBlock are throughputs, in operations a second.
type byBlock map[int]float64

func byCell(trials []trial) map[cell]map[string]byBlock {
	all := map[cell]map[string]byBlock{}
	for _, t := range trials {
		c := cell{t.Survives, t.Payload, t.Threads}
		if all[c] == nil {
			all[c] = map[string]byBlock{}
		}
		if all[c][t.Driver] == nil {
			all[c][t.Driver] = byBlock{}
		}
		all[c][t.Driver][t.Block] = t.opsPerS()
	}
	return all
}

func judgeCell(c cell, rival string, ours, theirs byBlock) row {
	var num, den []float64
	for block, rate := range ours {
		if other, both := theirs[block]; both {
			num, den = append(num, rate), append(den, other)
		}
	}
	r := row{
		Record: "foreign", Survives: c.survives, Payload: c.payload, Threads: c.threads, Rival: rival,
		Ours: median(ours), Theirs: median(theirs), Goal: c.goal(),
		Ratio: interval(stats.PairedRatio(num, den, analysis.Confidence)),
	}
	r.Status = status(r.Ratio, r.Goal)
	return r
}

func status(ratio results.Interval, goal float64) string {
	switch {
	case !ratio.Bounded():
		return unseen
	case float64(ratio.High) < goal:
		return missed
	case float64(ratio.Low) < goal:
		return inDoubt
	}
	return reached
}

func median(rates byBlock) results.Interval {
	var all []float64
	for _, rate := range rates {
		all = append(all, rate)
	}
	return interval(stats.MedianInterval(all, analysis.Confidence))
}

func interval(i stats.Interval) results.Interval {
	return results.Interval{Median: results.Number(i.Median), Low: results.Number(i.Low), High: results.Number(i.High)}
}
