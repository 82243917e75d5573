package results

import (
	"slices"

	"github.com/syncwrite/syncwrite/hist"
)

// Summary is what the trials of one cell say together.
type Summary struct {
	Experiment    string            `json:"experiment"`
	Variant       string            `json:"variant"`
	Factors       map[string]string `json:"factors,omitempty"`
	Goroutines    int               `json:"goroutines"`
	Promise       Promise           `json:"promise"`
	Trials        int               `json:"trials"`
	OpsPerS       Interval          `json:"ops_per_s"`
	AcceptedPerS  Interval          `json:"accepted_per_s"` // where acceptance and completion differ
	MeanNS        Interval          `json:"mean_ns"`
	P50NS         Number            `json:"p50_ns"`
	P90NS         Number            `json:"p90_ns"`
	P99NS         Number            `json:"p99_ns"`
	P999NS        Number            `json:"p999_ns"`
	MaxNS         Number            `json:"max_ns"`
	FloorNS       Number            `json:"floor_ns"`    // of what the clock can time
	UnderFloor    Number            `json:"under_floor"` // the highest quantile, 0.5 to 0.999, that is missing because it is not above the floor
	SerialOpsPerS Number            `json:"serial_ops_per_s"`
	PercentSerial Interval          `json:"percent_of_serial"`
	Effective     Number            `json:"effective_goroutines"`
	AllocsPerOp   Number            `json:"allocs_per_op"`
	IOCallsPerOp  Number            `json:"io_calls_per_op"`
	OpsPerCall    *Number           `json:"ops_per_call,omitempty"` // operations that one request to a service was for, where they are counted
	BytesPerOp    Number            `json:"bytes_per_op"`
	CPUNSPerOp    Number            `json:"cpu_ns_per_op"`
	SwitchesPerOp Number            `json:"switches_per_op"`
	GCShare       Number            `json:"gc_share"` // of the process's CPU time
	BusyShare     Number            `json:"busy_share"`
	Naive         Number            `json:"naive_ops_per_s"`
	LostShare     *Interval         `json:"lost_share,omitempty"` // of the operations, where the promise lets some be lost
	Cause         Cause             `json:"cause"`
	Failed        int               `json:"failed,omitempty"` // operations, of all trials
	Kinds         []Kind            `json:"kinds,omitempty"`  // of all trials
	Open          *OpenSummary      `json:"open,omitempty"`   // of the open loop
	Cycle         *Cycle            `json:"cycle,omitempty"`  // where processes of their own worked for the trials
	Timeline      []Tick            `json:"timeline,omitempty"`
	// OthersUnknown says that nobody measured what other processes took.
	// Spent says that what asked a service used all the processors that it may, or nearly:
	// the figures are of what it can ask, too.
	Spent         bool      `json:"generator_spent,omitempty"`
	OthersUnknown bool      `json:"others_unknown,omitempty"`
	Warnings      []Warning `json:"warnings,omitempty"`

	// Hist holds the operations of all trials; it is made again from them.
	Hist *hist.Histogram `json:"-"`
}

// Cause splits goroutine time into shares. They are of all trials together, and need not
// add up to exactly one: CPU is a median, and the two waits, which are reckoned from samples, are
// means, missing where they may be more than 20 points off. Unexplained is what the others leave. Where
// they are certainly more than the whole, none of them can be believed.
type Cause struct {
	CPU         Number `json:"cpu"`
	Lock        Number `json:"lock_wait"`
	Scheduler   Number `json:"scheduler_wait"`
	Counted     Number `json:"counted"`     // the sum of the above, or one of them; they are missing where it is more than 1.05
	Unexplained Number `json:"unexplained"` // system calls, disk, network, channels: not told apart here

	// Shared says that the instance had goroutines of its own besides the N: what was
	// waited for at locks is measured for the whole process, and may be theirs.
	Shared bool `json:"lock_wait_shared,omitempty"`
}

// MostCounted is what a part, or the sum of all, may be of a whole: what is beyond it
// was counted twice, or was no part of it.
const MostCounted = 1.05

// Over reports that the parts are more than the whole.
func (c Cause) Over() bool { return c.Counted > MostCounted }

// Cell returns the cell of the summary.
func (s Summary) Cell() Cell {
	return Cell{s.Experiment, s.Variant, FactorKey(s.Factors), s.Goroutines}
}

// Outcome is a result that is no rate: how a variant ended, or how one trial
// of a variant went that has no rate at all.
type Outcome struct {
	Experiment string            `json:"experiment"`
	Variant    string            `json:"variant"`
	Factors    map[string]string `json:"factors,omitempty"`
	Goroutines int               `json:"goroutines"`
	Block      int               `json:"block"` // 0: before the first block
	Kind       string            `json:"kind"`  // error, failed, ended or finished
	Text       string            `json:"text"`
	Dump       []string          `json:"dump,omitempty"` // of an error: the stacks of the trial's goroutines, line by line

	// Env is the index of the outcome's Env in its Run.
	Env int `json:"-"`
}

// Kinds of outcomes. An error ended the variant. A benchmark that failed did not pass
// every repetition; those that it passed stand, unless there were more than was asked for:
// then none do. Both are failures of the run. The
// others are what was asked for: of one trial, that its process was ended by the
// runtime, or that it finished.
const (
	OutcomeError    = "error"
	OutcomeFailed   = "failed"
	OutcomeEnded    = "ended"
	OutcomeFinished = "finished"
)

// Cell returns the cell of the outcome.
func (o Outcome) Cell() Cell {
	return Cell{o.Experiment, o.Variant, FactorKey(o.Factors), o.Goroutines}
}

// Words says what became of the variant: the verb to its name.
func (o Outcome) Words() string {
	if o.Kind == OutcomeFailed {
		return "did not pass every repetition"
	}
	return "ended by an error"
}

// Tally is how often the trials of one cell without a rate went one way.
type Tally struct {
	Experiment string
	Variant    string
	Factors    map[string]string
	Goroutines int
	Promise    Promise
	Kind, Text string // as in Outcome
	Count      int    // trials that went this way
	Trials     int    // of so many
}

// Cell returns the cell of the tally.
func (t Tally) Cell() Cell {
	return Cell{t.Experiment, t.Variant, FactorKey(t.Factors), t.Goroutines}
}

// Verdict is what an experiment's trials allow to say.
type Verdict struct {
	Sentence string   `json:"sentence"`          // Lines in one
	At       string   `json:"at,omitempty"`      // where they hold: "at 16 goroutines"
	Lines    []Line   `json:"lines,omitempty"`   // one promise each, the strongest first
	Scaling  string   `json:"scaling,omitempty"` // what more goroutines bring, and why not more
	Advice   string   `json:"advice,omitempty"`  // what follows from it; empty where the run supports none
	Limits   string   `json:"limits,omitempty"`  // what the machine allows, measured in the same run
	Cells    []Cell   `json:"cells,omitempty"`   // those that Scaling and Advice rest on
	Trades   []string `json:"trades,omitempty"`  // what a weaker promise buys
	Details  []string `json:"details,omitempty"` // other N, other factors, errors
	Claims   []Tested `json:"claims,omitempty"`
	Scaled   []Scaled `json:"scaled,omitempty"` // what more workers brought
}

// Line is what a verdict says of the variants of one promise.
type Line struct {
	Promise  string   `json:"promise,omitempty"`  // "Survives a power cut"; empty where all promise the same
	Text     string   `json:"text"`               // who leads, and by how much
	Note     string   `json:"note,omitempty"`     // a peak elsewhere, a stronger promise that is faster, who ended by an error
	Variants []string `json:"variants,omitempty"` // all of them, the fastest first
	Cells    []Cell   `json:"cells,omitempty"`    // those that Text and Note rest on
}

// Tested is a claim that was held against the figures of the run, at one
// combination of factor levels.
type Tested struct {
	Claim      Claim             `json:"claim"`
	Cells      []Cell            `json:"cells,omitempty"` // the two that it was held against
	Factors    map[string]string `json:"factors,omitempty"`
	Goroutines int               `json:"goroutines"`
	Ratio      Interval          `json:"ratio"` // of throughputs, Of ÷ To
	Status     string            `json:"status"`
	Sentence   string            `json:"sentence"` // the status, the claim and the figures
}

// What can become of a claim: the whole interval of the ratio lies where it
// should, or where it should not, or neither.
const (
	Confirmed    = "confirmed"
	Contradicted = "contradicted"
	Untold       = "cannot be told"
)

// Blocked is the share of goroutine time that no other cause explains: system calls,
// disk, channels. It is missing where it holds more than that: waiting at a lock or for
// a processor that was not measured, or one that others, a quota or a GOMAXPROCS beyond
// the cores kept.
func (s Summary) Blocked() Number {
	held := slices.ContainsFunc(s.Warnings, func(w Warning) bool {
		return w.Code == WarnDisturbed || w.Code == WarnThrottled || w.Code == WarnCores
	})
	if held || s.OthersUnknown || !s.Cause.Scheduler.Known() || !s.Cause.Lock.Known() {
		return Missing()
	}
	return s.Cause.Unexplained
}
