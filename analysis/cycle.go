package analysis

import (
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

const (
	fullyBusy = 0.9 // of what processors can do: all of it, or nearly
	restShare = 0.5 // of a cycle: most of it is a rest
	restOf    = 0.1 // of all processors: more than a machine at rest uses
)

// cycleOf says where users' time goes and what limits the rate; nil where no other
// process worked for the trials.
func cycleOf(run *results.Run, trials []results.Trial) *results.Cycle {
	if len(trials[0].Processes) == 0 || isOpen(trials) {
		return nil
	}
	of := func(get func(results.Trial) float64) results.Number { return median(trials, get) }
	busy := func(name string) results.Number {
		return of(func(t results.Trial) float64 { return float64(cpuOf(t, name)) / float64(t.WallNS) })
	}
	whole := func(t results.Trial) float64 {
		return float64(t.Goroutines) * float64(t.RateNS()) / float64(t.Ops+t.Failed)
	}
	c := &results.Cycle{
		WholeNS:  of(whole),
		AnswerNS: answered(trials, whole),
		Server:   busy(results.Server), Generator: busy(results.Generator),
		Others:     of(func(t results.Trial) float64 { return othersBusy(t, coresOf(run, t)) }),
		FirstBytes: of(func(t results.Trial) float64 { first, _ := sizes(wholeStretches(t)); return first }),
		LastBytes:  of(func(t results.Trial) float64 { _, last := sizes(wholeStretches(t)); return last }),
	}
	if c.BetweenNS = c.WholeNS - c.AnswerNS; c.BetweenNS < 0 { // by the clock's and the mean's rounding
		c.BetweenNS = 0
	}
	c.Bound = boundOf(c, trials[0], machineOf(run, trials[0]), coresOf(run, trials[0]))
	return c
}

// answered is what an answer took on average, of cycles that took so long; missing where so
// much failed, by number or by time, that answers are not what users wait for, and where
// nobody knows what failures took, or what was done had only been handed over.
func answered(trials []results.Trial, whole func(results.Trial) float64) results.Number {
	var failed, all float64
	for _, t := range trials {
		if t.Failed > 0 && t.FailedNS == 0 || t.AcceptedNS > 0 {
			return results.Missing()
		}
		failed, all = failed+float64(t.FailedNS), all+whole(t)*float64(t.Ops+t.Failed)
	}
	if fails(trials) || failed >= failing*all {
		return results.Missing()
	}
	return median(trials, func(t results.Trial) float64 {
		if t.Answering > 0 && t.Answering <= results.MostCounted { // the first answer of each is in no cycle, and can be another's length
			return t.Answering * whole(t)
		}
		return float64(t.Latency.MeanNS)
	})
}

func cpuOf(t results.Trial, name string) results.Number {
	for _, p := range t.Processes {
		if p.Name == name {
			return p.CPUNS
		}
	}
	return results.Missing()
}

// mostOf is how many processors a part of the trial can use at once; 0 if there is none.
func mostOf(t results.Trial, name string) results.Number {
	for _, p := range t.Processes {
		if p.Name == name {
			return results.Number(p.Most)
		}
	}
	return 0
}

// othersBusy is how many processors worked for programs that are no part of the trial, or were
// taken by the hypervisor; NaN where that is more than there are.
func othersBusy(t results.Trial, cores results.Number) float64 {
	busy := float64(t.OthersNS()+t.Usage.StealNS) / float64(t.CoveredNS())
	if cores > 0 && busy > float64(results.MostCounted*cores) {
		return math.NaN()
	}
	return busy
}

// machineOf is how many processors a trial's processes have together, as far as a quota
// grants them; 0 where nobody knows.
func machineOf(run *results.Run, t results.Trial) results.Number {
	cores := coresOf(run, t)
	if quota := run.EnvOf(t).Machine.CPUQuota; quota > 0 {
		return min(cores, quota)
	}
	return cores
}

// coresOf is the same whatever a quota grants. This process may be held to fewer than all
// of the trial's together.
func coresOf(run *results.Run, t results.Trial) results.Number {
	cores := run.EnvOf(t).Machine.Cores
	if cores > 0 {
		cores = max(cores, len(results.HeldTo(t.Processes)))
	}
	return results.Number(cores)
}

// chance is how far the mean sizes of n answers lie apart by their mix of requests, of which
// one kind may have next to nothing: some standard deviations, as a share, are chance ÷ √n.
const chance = 4

// sizes are the mean ones of an answer in the first stretch and in the last one. Where they
// lie apart no further than the mix of so few requests can make, both are that of all
// stretches; NaN where there are none.
func sizes(stretches []results.Moment) (first, last float64) {
	if len(stretches) == 0 {
		return math.NaN(), math.NaN()
	}
	mean := func(of ...results.Moment) float64 {
		bytes, ops := int64(0), 0
		for _, m := range of {
			bytes, ops = bytes+m.Bytes, ops+m.Ops
		}
		return float64(bytes) / float64(ops)
	}
	a, b := stretches[0], stretches[len(stretches)-1]
	first, last = mean(a), mean(b)
	fewest := float64(min(a.Ops, b.Ops))
	if all := mean(stretches...); fewest == 0 || math.Abs(last-first) <= all*chance/math.Sqrt(fewest) {
		return all, all
	}
	return first, last
}

// boundOf names what limits the rate of a cell that has all these processors, of so many
// cores; empty where nothing measured does.
func boundOf(c *results.Cycle, t results.Trial, all, cores results.Number) string {
	generator, server := mostOf(t, results.Generator), mostOf(t, results.Server)
	switch {
	case c.Server+c.Generator >= fullyBusy*all && all > 0:
		return results.BoundByProcessors
	case c.Others >= restOf*cores && c.Server+c.Generator+c.Others >= fullyBusy*cores:
		return results.BoundByOthers
	case c.Generator >= fullyBusy*generator && generator > 0:
		return results.BoundByGenerator
	case c.Server >= fullyBusy*server && server > 0:
		return results.BoundByServer
	case c.BetweenNS >= restShare*c.WholeNS, t.Goroutines == 1 && c.AnswerNS.Known():
		return results.BoundByUsers
	case results.Number(t.Goroutines) < all: // it may be that there are too few
		return ""
	case mayBeCrowded(c, t): // others may use what is left of those that it is held to
		return ""
	case c.AnswerNS >= fullyBusy*c.WholeNS && c.Server.Known() && c.Generator.Known() && c.Others.Known():
		return results.BoundByWaiting
	}
	return ""
}

// mayBeCrowded reports whether a process is held to processors of which others may use what
// it leaves: which of all processors others use is not known.
func mayBeCrowded(c *results.Cycle, t results.Trial) bool {
	return slices.ContainsFunc(t.Processes, func(p results.Process) bool {
		busy, held := map[string]results.Number{results.Server: c.Server, results.Generator: c.Generator}[p.Name], results.Number(len(p.Processors))
		return held > 0 && c.Others >= restOf*held && busy+c.Others >= fullyBusy*held
	})
}
