package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Compare sets the cells of two runs against each other, worst first. Runs of
// different blocks share no drift that pairing could cancel, so every cell is
// two independent samples: the ratio's interval is the Mann–Whitney test
// turned around (stats.RatioInterval).
//
// It does not ask whether the runs may be compared: see [Unlike].
func Compare(older, newer *results.Run) *results.Comparison {
	olds, news := byCell(older), byCell(newer)
	c := &results.Comparison{Geomean: results.Missing()}
	var ratios []float64
	for cell, trials := range news {
		if before, both := olds[cell]; both {
			change := compareCell(before, trials)
			c.Changes = append(c.Changes, change)
			if change.Ratio.Median.Known() {
				ratios = append(ratios, float64(change.Ratio.Median))
			}
			continue
		}
		c.Only = append(c.Only, cell.Name()+" is in the new run only")
	}
	for cell := range olds {
		if _, both := news[cell]; !both {
			c.Only = append(c.Only, cell.Name()+" is in the old run only")
		}
	}
	c.Geomean = results.Number(stats.Geomean(ratios))
	slices.Sort(c.Only)
	slices.SortFunc(c.Changes, worstFirst)
	c.Warnings = slices.Concat(runWarnings(older), runWarnings(newer))
	return c
}

func byCell(run *results.Run) map[results.Cell][]results.Trial {
	cells := map[results.Cell][]results.Trial{}
	for _, t := range run.Trials {
		if t.Ops > 0 {
			cells[t.Cell()] = append(cells[t.Cell()], t)
		}
	}
	return cells
}

// worstFirst orders by ratio; a cell without one comes last.
func worstFirst(a, b results.Change) int {
	rank := func(c results.Change) float64 {
		if !c.Ratio.Median.Known() {
			return math.Inf(1)
		}
		return float64(c.Ratio.Median)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Cell().Name(), b.Cell().Name()))
}

func compareCell(older, newer []results.Trial) results.Change {
	first := newer[0]
	olds, news := each(older, results.Trial.OpsPerS), each(newer, results.Trial.OpsPerS)
	ratio := stats.RatioInterval(news, olds, Confidence)
	p, err := stats.MannWhitney(olds, news)
	if err != nil {
		p = math.NaN()
	}
	return results.Change{
		Experiment: first.Experiment, Variant: first.Variant, Factors: first.Factors, Goroutines: first.Goroutines,
		Old:   interval(stats.MedianInterval(olds, Confidence)),
		New:   interval(stats.MedianInterval(news, Confidence)),
		Ratio: interval(ratio), P: results.Number(p),
		Least: leastDrop(ratio), Call: call(ratio, older),
	}
}

// leastDrop is the drop that would just have taken the whole interval below 1.
func leastDrop(ratio stats.Interval) results.Number {
	if !bounded(ratio) {
		return results.Missing()
	}
	return results.Number(1 - ratio.Median/ratio.High)
}

// call says what the change is: better or worse where the whole interval lies
// beyond the margin, same where the whole of it lies within, and otherwise that
// one cannot tell. It is the rule that verdicts tell variants apart by.
func call(ratio stats.Interval, older []results.Trial) string {
	m := margin(stats.Median(each(older, results.Trial.OpsPerS)))
	switch {
	case !bounded(ratio):
		return results.CannotTell
	case ratio.High < 1-m:
		return results.Worse
	case ratio.Low > 1+m:
		return results.Better
	case ratio.Low >= 1-m && ratio.High <= 1+m:
		return results.Same
	}
	return results.CannotTell
}

// Unlike names what keeps two runs from being compared: another machine, Go,
// disk, workload or promise. Nothing means that they may be.
func Unlike(older, newer *results.Run) []string {
	var all []string
	differs := func(what string, a, b any) {
		if a != b {
			all = append(all, fmt.Sprintf("%s: %v, then %v", what, a, b))
		}
	}
	if len(older.Envs) > 0 && len(newer.Envs) > 0 {
		a, b := older.Envs[0], newer.Envs[0]
		differs("processor", a.Machine.CPU, b.Machine.CPU)
		differs("cores", a.Machine.Cores, b.Machine.Cores)
		differs("GOMAXPROCS", a.Procs(), b.Procs())
		differs("system", a.Machine.GOOS+"/"+a.Machine.GOARCH+" "+a.Machine.Kernel, b.Machine.GOOS+"/"+b.Machine.GOARCH+" "+b.Machine.Kernel)
		differs("processor quota", a.Machine.CPUQuota.Three(), b.Machine.CPUQuota.Three())
		differs("Go", a.Machine.Go, b.Machine.Go)
		differs("GOGC", a.Machine.GOGC, b.Machine.GOGC)
		differs("file system", a.Disk.FileSystem, b.Disk.FileSystem)
		differs("loop", a.Settings.Loop, b.Settings.Loop)
		differs("window", a.Settings.WindowNS, b.Settings.WindowNS)
		differs("budget", a.Settings.BudgetNS, b.Settings.BudgetNS)
		differs("operations a trial", a.Settings.Ops, b.Settings.Ops)
	}
	return append(all, brokenPromises(older, newer)...)
}

func brokenPromises(older, newer *results.Run) []string {
	var all []string
	for _, e := range newer.Experiments {
		was := older.Experiment(e.Name)
		for _, v := range e.Variants {
			before := was.Variant(v.Name)
			if before.Promise != (results.Promise{}) && before.Promise != v.Promise {
				all = append(all, fmt.Sprintf("promise of %s/%s: %v; then %v", e.Name, v.Name, before.Promise, v.Promise))
			}
		}
	}
	return all
}
