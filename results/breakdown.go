package results

import (
	"fmt"
	"math"
	"slices"
)

// A Breakdown is where the goroutines' time of one window of a cell went that was looked into.
// Its rate is not the cell's: trials have that, which nobody looks into.
type Breakdown struct {
	Experiment string            `json:"experiment"`
	Variant    string            `json:"variant"`
	Factors    map[string]string `json:"factors,omitempty"`
	Goroutines int               `json:"goroutines"`

	// Source is what tells: SourceTrace or SourceProfiles. Files of before have none: a trace.
	Source string `json:"source,omitempty"`

	WindowNS int64           `json:"window_ns"`
	TimeNS   int64           `json:"time_ns"`   // of all goroutines
	OpsPerS  Number          `json:"ops_per_s"` // of this window
	OpNS     Number          `json:"op_ns"`     // goroutine time ÷ operations, of this window; 0 in files of before
	Parts    []BreakdownPart `json:"parts,omitempty"`
	UsedNS   Number          `json:"used_ns"`            // processor time of the whole process in this window; null where nobody knows, 0 in files of before
	Reason   string          `json:"reason,omitempty"`   // why there are no parts
	Warnings []Warning       `json:"warnings,omitempty"` // what disturbed the window

	// Env is the index of the breakdown's Env in its Run.
	Env int `json:"-"`
}

// NoBreakdown is the breakdown of a cell of which nothing is known; its factors are those that the cell's
// name has.
func NoBreakdown(source string, c Cell, factors map[string]string) Breakdown {
	return Breakdown{Source: source, Experiment: c.Experiment, Variant: c.Variant, Factors: factors, Goroutines: c.Goroutines, OpsPerS: Missing(), OpNS: Missing(), UsedNS: Missing()}
}

// Sources of a breakdown.
const (
	SourceTrace    = "trace"    // an execution trace: exact, but for what tracing changes
	SourceProfiles = "profiles" // the runtime's profiles and counters: estimates, which change less
)

// mostPerturbed is by how much of its trials' median the rate of a window that is looked into
// may differ for its shares to be those of the trials, unless these differ as much.
const mostPerturbed = 0.10

// fewTrials are too few to say how far apart trials lie.
const fewTrials = 3

// Unlike reports that this window had another rate than the trials of its cell: more than a
// tenth off their median, and off all of them. Where one of the two is not known, nobody can
// call them alike.
func (b Breakdown) Unlike(trials []float64) bool { return unlike(b.OpsPerS, trials) }

// OtherWork reports that an operation took this window's goroutines another time than those of
// the trials, by the same rule: under one lock fewer operations, of which fewer wait at once, have the rate of many,
// and no share is that of the trials. What files of before do not tell is not asked.
func (b Breakdown) OtherWork(opNS []float64) bool { return b.OpNS > 0 && unlike(b.OpNS, opNS) }

func unlike(one Number, trials []float64) bool {
	if !one.Known() || len(trials) == 0 {
		return true
	}
	all, n := slices.Sorted(slices.Values(trials)), len(trials)
	value, median := float64(one), (all[(n-1)/2]+all[n/2])/2
	if math.Abs(value/median-1) <= mostPerturbed {
		return false
	}
	return n < fewTrials || !(value >= all[0] && value <= all[n-1])
}

// Changed reports that looking into the window changed its rate.
func (b Breakdown) Changed(trials []float64) bool {
	return b.Reason == "" && b.OpsPerS.Known() && len(trials) > 0 && b.Unlike(trials)
}

// What a goroutine's time can go to.
const (
	TimeRunning   = "on a processor"
	TimeRunnable  = "waiting for a processor"
	TimeLock      = "waiting for a lock"
	TimeCondition = "waiting for a condition"
	TimeChannel   = "waiting at a channel"
	TimeSleep     = "asleep"
	TimeNetwork   = "waiting for the network"
	TimeSystem    = "in a system call"
	TimeForeign   = "in C code"
	TimeFlush     = "flushing to the disk"
	TimeCollector = "helping the collector"
	TimeUnknown   = "unexplained"
)

// FileLock is the call of a place at which goroutines wait for the lock that an os.File has
// inside.
const FileLock = "the lock inside os.File"

// A BreakdownPart is the time of one kind, as the names above have it.
type BreakdownPart struct {
	Kind   string           `json:"kind"`
	NS     int64            `json:"ns"`
	Places []BreakdownPlace `json:"places,omitempty"` // the largest first
}

// A BreakdownPlace is the time of one line of the program.
type BreakdownPlace struct {
	Where string `json:"where"` // file.go:12
	Func  string `json:"func,omitempty"`
	Call  string `json:"call,omitempty"` // of the standard library, in which it waited
	NS    int64  `json:"ns"`
	// Woken is where another goroutine ended most of these waits, and Doing what that did
	// most of the time meanwhile. By profiles it is where who held them up for most of the time unlocked.
	Woken string `json:"woken,omitempty"`
	Doing string `json:"doing,omitempty"`
}

// Cell returns the cell of the breakdown.
func (b Breakdown) Cell() Cell {
	return Cell{b.Experiment, b.Variant, FactorKey(b.Factors), b.Goroutines}
}

// mostParts is more than there are kinds.
const mostParts = 64

// check refuses a breakdown whose times cannot be.
func (b Breakdown) check() error {
	if b.Experiment == "" || b.Variant == "" || b.Goroutines < 1 || b.TimeNS < 0 || b.WindowNS < 0 || b.OpsPerS < 0 || b.OpNS < 0 || b.UsedNS < 0 || len(b.Parts) > mostParts {
		return fmt.Errorf("breakdown of %d goroutines, %d ns, %d parts", b.Goroutines, b.TimeNS, len(b.Parts))
	}
	if b.Source != "" && b.Source != SourceTrace && b.Source != SourceProfiles {
		return fmt.Errorf("breakdown by %q", b.Source)
	}
	left, kinds := b.TimeNS, map[string]bool{}
	for _, p := range b.Parts {
		if kinds[p.Kind] {
			return fmt.Errorf("breakdown with part %q twice", p.Kind)
		}
		kinds[p.Kind] = true
		if p.Kind == "" || p.NS < 0 || p.NS > left {
			return fmt.Errorf("breakdown with %d ns of %d in part %q", p.NS, b.TimeNS, p.Kind)
		}
		left -= p.NS
		of := p.NS
		for _, place := range p.Places {
			if place.NS < 0 || place.NS > of {
				return fmt.Errorf("breakdown with %d ns of %d at %s", place.NS, p.NS, place.Where)
			}
			of -= place.NS
		}
	}
	return nil
}

// An Explanation is what a breakdown says of its cell.
type Explanation struct {
	Breakdown
	// RateShare is the window's rate by the median of the cell's trials.
	RateShare Number
	// Shares says that the parts are those of the trials, too, as far as they are explained.
	Shares bool
	Text   string // a sentence or two
}
