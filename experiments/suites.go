package experiments

import (
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// A Suite is a named group of experiments, at levels of its own.
type Suite struct {
	Name        string
	About       string
	Experiments []harness.Experiment
	Quick       []harness.Experiment // what --quick runs, one block of it; none: there is no quick one
}

// Suites lists all suites.
func Suites() []Suite {
	return []Suite{
		{Name: "course", About: "the thread experiments of a course on distributed systems, at its own levels", Experiments: Course()},
		{Name: "remote-course", About: "5,000 messages to a peer, each of a goroutine of its own, over the size of the mailbox", Experiments: []harness.Experiment{remoteCourse()}},
	}
}

// Levels of the course.
const (
	courseGoroutines = 50
	courseEach       = 1_000     // increments or map writes of a goroutine
	courseLines      = 100_000   // writes to a file
	courseRoundTrips = 1_000_000 // of a pair
	// What takes a hundred times as long runs a hundredth as often, or the
	// suite would take an hour: each table tells how many operations a run had.
	courseSynced = 1_000
	courseSlow   = 20_000
)

// Course are the four experiments as the course ran them: 50 goroutines with
// 1,000 increments or map writes each, 100,000 lines to a file, 1,000,000 round
// trips. Its trials are short, and the report says what that makes doubtful.
func Course() []harness.Experiment {
	return []harness.Experiment{
		atLevels(Counter(), 20*time.Millisecond, courseGoroutines, courseEach, nil, nil),
		atLevels(Map(), 30*time.Millisecond, courseGoroutines, courseEach, nil, map[string][]string{
			"writes": {"100"}, "keys": {"50000"}, "distribution": {"sequence"}, "sharing": {"disjoint"}, "start": {"empty"},
		}),
		atLevels(Buffering(), 120*time.Millisecond, 1, courseLines, map[string]int{
			"unbuffered-fsync-line": courseSynced, "buffered-fsync-line": courseSynced,
		}, map[string][]string{"size": {"16", "64", "1024"}}),
		atLevels(Handover(), 400*time.Millisecond, 1, courseRoundTrips, map[string]int{
			"threads": courseSlow, "processes": courseSlow, "loopback-tcp": courseSlow,
		}, nil),
	}
}

// atLevels holds an experiment at one number of goroutines, with so many
// operations each (which should take about so long, for the estimate), fewer for the variants that are named, and at the named
// levels of its factors.
func atLevels(e harness.Experiment, about time.Duration, goroutines, each int, fewer map[string]int, factors map[string][]string) harness.Experiment {
	e.Goroutines, e.Fixed, e.Tabled, e.Window = []int{goroutines}, true, true, about
	for i := range e.Variants {
		v := &e.Variants[i]
		v.PerGoroutine = each
		if n, named := fewer[v.Name]; named {
			v.PerGoroutine = n
		}
	}
	for i := range e.Factors {
		f := &e.Factors[i]
		if levels, named := factors[f.Name]; named {
			f.Levels = levels
		}
	}
	return e
}
