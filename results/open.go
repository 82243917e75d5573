package results

import (
	"math"
	"slices"
)

// RateFactor is the factor whose levels are the rates of the open loop, operations that
// are due a second: 100k, steps 1k+2k, a ramp 1k-10k, drawn poisson:5k.
const RateFactor = "rate"

// DrawnRate begins a level of it at which the gaps between operations are drawn.
const DrawnRate = "poisson:"

// Open is what the open loop adds to a trial, whose Latency is the response time:
// from when an operation was due to its end.
type Open struct {
	Due      int     `json:"due"`                  // operations that were due in the window
	Unsent   int     `json:"unsent"`               // of these, not begun by the deadline
	WindowNS int64   `json:"window_ns"`            // in which they were due
	LastNS   int64   `json:"last_ns"`              // when the last one was due, from the start
	BegunNS  int64   `json:"begun_ns"`             // when the last one was begun
	EndNS    int64   `json:"end_ns"`               // and when the last one ended
	FinishNS int64   `json:"finish_ns,omitempty"`  // of that, until what all had only handed over was done
	Ended    int     `json:"ended"`                // operations that ended within the window
	Well     *int    `json:"ended_well,omitempty"` // of these, with success; nil in files of before
	EarlyNS  Number  `json:"early_ns"`             // the mean service time of those that were due in its first quarter
	Usual    *int    `json:"usual,omitempty"`      // operations that are under way at the window's end though none waits; nil in files of before
	Serve    Latency `json:"service"`              // service time: from an operation's own start to its end
	Lag      Latency `json:"lag"`                  // send lag: from when it was due to its start
	Late     Latency `json:"late"`                 // how much of that the generator itself was late by, waiting for nobody
}

// DuePerS is the rate that was asked for.
func (o *Open) DuePerS() Number { return Number(o.Due) / Number(o.WindowNS) * 1e9 }

// DonePerS is the rate at which operations ended, of which so many were successes: what
// ended within the window, and, where nothing waits, what is under way at its end as it is
// at any time. Where more may wait than is known, or over a twentieth failed, it is a bound
// from below: what ended within the window, or all until the last one, whichever is more. Of
// these the time before the first one could end is left out where nothing is known to wait.
// What operations had handed over, and was not done soon behind them, has not ended with them.
func (o *Open) DonePerS(ops int) Number {
	window, end := Number(o.WindowNS), Number(o.EndNS)
	share := Number(ops) / Number(o.Due-o.Unsent)
	well := Number(o.Ended) * share
	if o.Well != nil {
		well = Number(*o.Well)
	}
	kept, judged := o.KeptUp()
	known := kept && judged && share >= 1-mostBehind // more that fails at once makes an answer that waits look short
	if known {
		well += min(Number(o.Due-o.Ended), o.usual()) * share
	}
	within := well / window * 1e9
	if known && within.Known() {
		return within
	}
	if kept {
		end -= o.shortest()
	}
	whole := Number(ops) / max(window, end) * 1e9
	if o.leftOver() || !within.Known() {
		return whole
	}
	return max(whole, within)
}

// leftOver reports whether much of what operations had handed over was done behind them.
func (o *Open) leftOver() bool { return Number(o.FinishNS) > mostBehind*Number(o.WindowNS) }

// shortest is what the shortest operation took.
func (o *Open) shortest() Number {
	if o.Serve.Hist == nil {
		return 0
	}
	return Number(o.Serve.Hist.Min())
}

// CountUsual counts how many operations are under way at the window's end though none
// waits, by the moments at which all were due: those of which one that is not hindered has
// not ended then. By Little's law that is the time that one takes × the rate at the end,
// which is not the mean where the rate rises.
func (o *Open) CountUsual(due []int64) {
	began := Number(o.WindowNS) - o.unhindered()
	at, _ := slices.BinarySearchFunc(due, began, func(at int64, from Number) int {
		if Number(at) <= from {
			return -1
		}
		return 1
	})
	n := len(due) - at
	o.Usual = &n
}

// usual is what CountUsual has counted; in files of before it is of the mean rate.
func (o *Open) usual() Number {
	if o.Usual != nil {
		return Number(*o.Usual)
	}
	return Number(o.Due) * o.unhindered() / Number(o.WindowNS)
}

// unhindered is how long an operation takes before others wait for it inside, as at a
// lock of its own: where a backlog grows, the early ones took less than all.
func (o *Open) unhindered() Number {
	switch {
	case !o.EarlyNS.Known():
		return o.Serve.MeanNS
	case !o.Serve.MeanNS.Known():
		return o.EarlyNS
	}
	return min(o.EarlyNS, o.Serve.MeanNS)
}

const (
	mostBehind = 0.05 // of the window, or of what was due in it, that may be left at its end
	leastTimes = 4    // as long as an operation takes a window must last
)

// waiting is how many operations wait at the window's end: that have not ended then and are
// not under way though none waits (Little's law, of what one takes early in the window and the
// rate at its end), or that were due in as much time as the last one was begun late by, or as
// what operations only handed over was done behind them: what waits inside of operations waits,
// too. Chance makes it scatter by the square root of those under way.
func (o *Open) waiting() Number {
	late := max(Number(o.BegunNS-o.LastNS), Number(o.FinishNS)) / Number(o.WindowNS)
	return max(Number(o.Due-o.Ended)-o.usual(), late*Number(o.Due))
}

// KeptUp reports whether all that was due was sent, and no more than a twentieth of it waits
// at the window's end. Nobody can tell, and judged is false, where fewer than two operations
// were due, or one takes a quarter of the window: that they were all begun tells nothing of
// the rate at which they end.
func (o *Open) KeptUp() (kept, judged bool) {
	kept = o.Unsent == 0 && !(o.waiting() > mostBehind*Number(o.Due))
	return kept, o.Due >= 2 && (!kept || o.Serve.MeanNS*leastTimes <= Number(o.WindowNS))
}

// FellBehind reports whether more waits at the end of trials' windows, on average, than can
// while a rate is kept up with: by one, since operations are counted whole, by twice what
// chance makes of those under way, and by what it makes of a queue. One that a server just
// keeps up with is a random walk that does not go below zero, whose steps have the variances of
// the gaps between arrivals and of service times, in their means, as drawn says of the former:
// behind n of them it is √(2n/π) times their root, with a scatter of √(1−2/π) times that
// (Feller, An Introduction to Probability Theory, 1971, volume II, chapter VI). Trials that
// differ by less had no such queue.
func FellBehind(trials []*Open, drawn bool) bool {
	var due, waiting, squares, usual, steps, n Number
	for _, o := range trials {
		w := o.waiting()
		due, waiting, squares, usual, n = due+Number(o.Due), waiting+w, squares+w*w, usual+o.usual(), n+1
		steps += Number(math.Sqrt(float64(o.Due) * o.unevenness(drawn)))
	}
	walk := steps / n * Number(math.Sqrt(2/math.Pi)+2*math.Sqrt((1-2/math.Pi)/float64(n)))
	if n >= fewScatter {
		scatter := math.Sqrt(max(0, float64((squares-waiting*waiting/n)/(n-1))))
		walk = min(walk, scatters*Number(scatter))
	}
	return waiting/n > mostBehind*due/n+1+2*Number(math.Sqrt(float64(usual)))/n+walk
}

const (
	fewScatter = 5 // trials tell how much they scatter
	scatters   = 3 // of theirs a queue that is kept up with is no longer than so many, on average (TestFellBehindByChance)
)

// unevenness is the variance of the gaps between arrivals, 1 where they are drawn, and of
// service times, both in squares of their means.
func (o *Open) unevenness(drawn bool) (sum float64) {
	if drawn {
		sum = 1
	}
	h := o.Serve.Hist
	if h == nil || !(h.Mean() > 0) {
		return sum
	}
	for b := range h.Buckets() {
		off := float64(b.Low+b.High)/2/h.Mean() - 1
		sum += off * off * float64(b.Count) / float64(h.Count())
	}
	return sum
}

// OpenSummary is the open loop in a Summary. Quantiles are of the operations of all
// trials.
type OpenSummary struct {
	DuePerS  Number `json:"due_per_s"`
	DonePerS Number `json:"done_per_s"`
	KeptUp   int    `json:"kept_up"`   // trials in which all that was due was sent, and no more than a twentieth waits at the end
	Judged   int    `json:"judged"`    // trials that tell whether it was
	Behind   bool   `json:"behind"`    // in none it was, and more waits than chance explains
	Unsent   int    `json:"unsent"`    // operations, of all trials
	FinishNS Number `json:"finish_ns"` // until what all operations had only handed over was done, behind the last one's end
	ServeNS  Number `json:"service_p99_ns"`
	LagNS    Number `json:"lag_p99_ns"`
	LateNS   Number `json:"late_p99_ns"` // of fewer than 1,000 operations the maximum
	// Full says that nearly as many operations were under way on average as there can be.
	Full bool `json:"full"`
	// Saturated says that the generator itself was late: what it measured is not of the
	// operation alone.
	Saturated bool `json:"saturated"`
}
