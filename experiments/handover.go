package experiments

// What does it cost to hand a turn to somebody else and get it back?

import (
	"runtime"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// Handover plays ping-pong: each of N goroutines has a partner, hands the turn
// over and waits until it comes back. One operation is such a round trip, which
// is two switches: the cost of a switch is half of what is shown. The course
// measured one pair; with more, pairs compete for the processors.
func Handover() harness.Experiment {
	pair := results.Promise{Order: "per-caller", Result: "independent", Survives: "nothing"}
	return harness.Experiment{
		Name:     "handover",
		Question: "What does it cost to hand a turn over and get it back (two switches)?",
		Unit:     "round trip",
		Apart:    true,
		Factors: []harness.Factor{{Name: "procs", About: "GOMAXPROCS: 1 or all", Default: "all",
			Levels: []string{"1", "all"}, Check: harness.OneOf("1", "all")}},
		Goroutines: []int{1, 2, 4},
		Window:     90 * time.Millisecond,
		Variants: []harness.Variant{
			{Name: "unbuffered", About: "two unbuffered channels", Promise: pair, Open: withProcs(openChannels(0))},
			{Name: "buffered", About: "two channels of capacity 1", Promise: pair, Open: withProcs(openChannels(1))},
			{Name: "mutex-cond", About: "a sync.Mutex and a sync.Cond", Promise: pair, Open: withProcs(openCond)},
			{Name: "gosched", About: "runtime.Gosched until the turn has come", Promise: pair, Open: withProcs(openYield)},
			{Name: "threads", About: "two goroutines locked to OS threads, a byte over pipes that block them", Promise: pair, Open: withProcs(openThreads)},
			{Name: "processes", About: "the same, and the partner is a process of its own", Promise: pair, Open: withProcs(openProcesses)},
			{Name: "loopback-tcp", About: "8 B to a TCP server of this process and back: a network without its wire", Promise: pair, Open: withProcs(openTurnsTCP)},
		},
		Claims: handoverClaims(),
	}
}

// handoverClaims are the course's ladder: 148 ns a switch between goroutines
// with one processor, 156 ns with all; beside it, quoted and not measured,
// 1–2 µs between threads, 3–5 µs between processes, 500 µs and more over a
// network.
func handoverClaims() []results.Claim {
	side := func(variant string) results.Side {
		return results.Side{Variant: variant, Factors: map[string]string{"procs": "all"}}
	}
	const course = "the course"
	return []results.Claim{
		{By: course, Text: "between goroutines, one processor or all makes no difference of 10 % (148 and 156 ns a switch)",
			Of: results.Side{Variant: "unbuffered", Factors: map[string]string{"procs": "1"}}, To: side("unbuffered"),
			Least: 0.9, Most: 1.1, Goroutines: 1},
		{By: course, Text: "a switch between goroutines is 6.4 to 13.5 times as fast as one between OS threads (156 ns, 1–2 µs)",
			Of: side("unbuffered"), To: side("threads"), Least: 6.4, Most: 13.5, Goroutines: 1},
		{By: course, Text: "a switch between threads is 1.5 to 5 times as fast as one between processes (1–2 µs, 3–5 µs)",
			Of: side("threads"), To: side("processes"), Least: 1.5, Most: 5, Goroutines: 1},
		{By: course, Text: "a network is at least 100 times as slow as a switch between processes (500 µs, 5 µs); here its software alone, over loopback",
			Of: side("processes"), To: side("loopback-tcp"), Least: 100, Goroutines: 1},
	}
}

// withProcs holds GOMAXPROCS at the level of the factor for one trial. It is
// set last and restored first, so that nothing but the trial runs under it.
func withProcs(open func(harness.Setup) (harness.Instance, error)) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		i, err := open(s)
		if err != nil || s.Factors["procs"] != "1" {
			return i, err
		}
		before, release := runtime.GOMAXPROCS(1), i.Close
		i.Close = func() error {
			runtime.GOMAXPROCS(before)
			return release()
		}
		return i, nil
	}
}
