package harness

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Experiment is a question with the variants that answer it.
type Experiment struct {
	Name     string // lower case, words joined by -
	Question string
	Unit     string // one operation, in the singular; "operation" if empty
	// Apart says that every variant is an operation of its own, a ladder and
	// not a contest: no verdict ranks them.
	Apart    bool
	Factors  []Factor
	Variants []Variant
	// Goroutines and Window stand where the Config names none; empty: 1, 2, 4,
	// 8 and 16 goroutines, windows of 220 ms.
	Goroutines []int
	Window     time.Duration
	// Limits name variants of other experiments that bound this one; whoever
	// puts the run together measures them along.
	Limits []results.Limit
	// Trades are pairs of variants of different promise, told side by side:
	// what the weaker promise buys. Claims are what others concluded: the run
	// holds its own figures against them.
	Trades []results.Trade
	Claims []results.Claim
	// Scales are pairs of variants of which one has more workers: the run tells the
	// speed-up beside what bounds it.
	Scales []results.Scale
	// Over names a factor over whose levels, which are whole numbers, throughput is drawn
	// where several were measured.
	Over string
	// Tabled asks for a table of every trial, run by run.
	Tabled bool
	// Along says that nobody asked for it: it is measured as a limit of others.
	Along bool
	// ByTime says that a trial ends by the clock and not by a number of operations, and
	// that nothing is calibrated before: for the servers of others, which are to be
	// asked no more than was said. Its variants have Requests.
	ByTime bool
	// Asked is what is asked of a server, by name: a part of the run's settings, since two
	// runs that ask otherwise are not to be compared.
	Asked map[string]string
	// Patience is how much longer than planned a trial by time may take besides what all
	// may: for requests that are waited for.
	Patience time.Duration
	// Beside says that what is measured is partly another process of this machine: the
	// processor time of others is no disturbance then.
	Beside bool
	// Fixed keeps the experiment at its own Goroutines whatever Config says.
	Fixed bool
}

// Factor is something swept besides the number of goroutines.
type Factor struct {
	Name    string
	About   string
	Default string
	// Levels are measured where the Config names none; empty: Default alone.
	Levels []string
	// Unit is what an operation is where the factor does not stand at its Default, as one
	// that mixes reads among appends; empty: the experiment's Unit still.
	Unit string
	// Check refuses a level that means nothing; nil accepts all.
	Check func(level string) error
}

// Variant is one design.
type Variant struct {
	Name    string
	About   string
	Promise results.Promise
	// PerGoroutine fixes how many operations each goroutine does, for one that
	// scales by nature (a sleep). Zero: the total is calibrated and constant.
	PerGoroutine int
	// Open makes a fresh instance for one trial, outside the window.
	Open func(Setup) (Instance, error)
	// Observe stands in place of Open where the result is no rate: it does
	// Setup.Ops operations, PerGoroutine each, in a process that they may end,
	// and says what came of it. Every trial leaves an Outcome.
	Observe func(Setup) (Observation, error)
	// Elsewhere stands in place of Open where another program does the work and measures
	// it, for Setup.Window: it fills in operations, times, kinds and moments. In
	// experiments by time only.
	Elsewhere func(Setup) (results.Trial, error)
	// Prepare, if set, gets what the variant needs and may be missing, such as a program to
	// install, before anything is measured; say is told what takes long.
	Prepare func(ctx context.Context, say func(string)) error
	// Besides is about how long a trial takes besides its window, where that is long, as
	// other programs are started: for the estimate of how long the run takes.
	Besides time.Duration
}

// Observation is how one trial without a rate went.
type Observation struct {
	Ended bool   // the process was ended
	Text  string // by what, or what it did
}

// Setup is what a variant knows when it is opened.
type Setup struct {
	Context    context.Context
	Dir        string            // empty, on the disk that is measured; removed after the trial
	Factors    map[string]string // every factor of the experiment, with its level
	Goroutines int
	Ops        int           // of all goroutines together
	Window     time.Duration // how long a trial by time lasts
	Seed       uint64        // differs from trial to trial, equal when the run is repeated with its seed

	guard *guardSlot
}

// Guard wraps the lock that serialises the variant in one that measures how
// long it is held. One guard a trial is recorded: the last.
func (s Setup) Guard(inner sync.Locker) sync.Locker { return s.guard.wrap(inner) }

// Instance is a variant at work in one trial.
type Instance struct {
	// Worker makes the operation of one goroutine (0 … N-1), before the
	// barrier; what it returns is called by that goroutine alone.
	Worker func(goroutine int) Operation
	// Request stands in place of Worker where operations are of several Kinds, or can
	// fail without ending the variant: what failed is counted by its reason.
	Request func(goroutine int) Request
	Kinds   []string
	// Pause, if set, makes what says how long a goroutine rests before its next
	// request, as users do; no request's time holds it. In windows by time only.
	Pause func(goroutine int) func() time.Duration
	// Processes, if set, are others of this machine that work for the trial, with the
	// processor time that each has used so far. It is asked before the window and after it.
	Processes func() []results.Process
	// Calls, if set, is how many requests have gone to a service so far. It is asked before
	// the window and after it.
	Calls func() int
	// Finish, if set, ends the work inside the window: a flush. The time until
	// it starts is recorded as accepted.
	Finish func() error
	// Check, if set, looks after the window whether all ops operations had
	// their effect. An error voids the trial.
	Check func(ops int) error
	// Lost counts, after the window, how many of ops operations were without
	// effect. A variant whose promise is a lossy result has to set it; no
	// other may.
	Lost func(ops int) (int, error)
	// Close, if set, releases what Open took. It always runs.
	Close func() error
}

// Operation is what is counted and timed. An error ends the variant.
type Operation func() error

// Func is a variant whose operation needs no preparation and is called by all
// goroutines.
func Func(name string, promise results.Promise, op Operation) Variant {
	return Variant{Name: name, Promise: promise, Open: func(Setup) (Instance, error) {
		return Instance{Worker: func(int) Operation { return op }}, nil
	}}
}

// Only returns the experiment with just the named variants, in the order of
// the experiment, and the trades between them.
func (e Experiment) Only(names ...string) Experiment {
	e.Variants = slices.DeleteFunc(slices.Clone(e.Variants), func(v Variant) bool {
		return !slices.Contains(names, v.Name)
	})
	e.Trades = slices.DeleteFunc(slices.Clone(e.Trades), func(t results.Trade) bool {
		return !slices.Contains(names, t.Weaker) || !slices.Contains(names, t.Stronger)
	})
	return e
}

// Describe returns what a results file says of the experiment, with the strings
// made printable: whoever wrote the experiment, a reader's terminal is not his.
func (e Experiment) Describe() results.Experiment {
	d := results.Experiment{Name: e.Name, Question: e.Question, Unit: e.Unit, Apart: e.Apart, Limits: e.Limits,
		Trades: e.Trades, Claims: e.Claims, Scales: e.Scales, Over: e.Over, Tabled: e.Tabled, Along: e.Along}
	if d.Unit == "" {
		d.Unit = "operation"
	}
	for _, v := range e.Variants {
		d.Variants = append(d.Variants, results.Variant{Name: v.Name, About: v.About, Promise: v.Promise})
	}
	for _, f := range e.Factors {
		d.Factors = append(d.Factors, results.Factor{Name: f.Name, About: f.About, Default: f.Default, Levels: f.Levels, Unit: f.Unit})
	}
	return results.PrintableRecord(d)
}

var validName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check reports what would make the experiment's results ambiguous.
func (e Experiment) Check() error {
	if !validName.MatchString(e.Name) {
		return fmt.Errorf("experiment %q: a name is lower case, words joined by -", e.Name)
	}
	if len(e.Variants) == 0 {
		return fmt.Errorf("experiment %s: no variant", e.Name)
	}
	seen := map[string]bool{}
	for _, v := range e.Variants {
		if err := v.check(); err != nil {
			return fmt.Errorf("experiment %s: %w", e.Name, err)
		}
		if seen[v.Name] {
			return fmt.Errorf("experiment %s: two variants named %s", e.Name, v.Name)
		}
		seen[v.Name] = true
	}
	return e.checkWords()
}

// checkWords reports trades and claims that no figure could bear out.
func (e Experiment) checkWords() error {
	promise := e.Describe().Variant
	for _, t := range e.Trades {
		if !promise(t.Weaker).Promise.Weaker(promise(t.Stronger).Promise) {
			return fmt.Errorf("experiment %s: a trade of %s for %s, which does not promise less", e.Name, t.Stronger, t.Weaker)
		}
	}
	for _, c := range e.Claims {
		if !(c.Least > 0 || c.Most > 0) {
			return fmt.Errorf("experiment %s: claim %q: no bound", e.Name, c.Text)
		}
	}
	return nil
}

func (v Variant) check() error {
	if !validName.MatchString(v.Name) {
		return fmt.Errorf("variant %q: a name is lower case, words joined by -", v.Name)
	}
	if v.Open == nil && v.Observe == nil && v.Elsewhere == nil {
		return fmt.Errorf("variant %s: nothing to open", v.Name)
	}
	if v.Observe != nil && v.PerGoroutine < 1 {
		return fmt.Errorf("variant %s: what is observed needs its number of operations", v.Name)
	}
	if err := v.Promise.Check(); err != nil {
		return fmt.Errorf("variant %s: %w", v.Name, err)
	}
	return nil
}
