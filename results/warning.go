package results

import (
	"fmt"
	"strings"
)

// Warning is a doubt about a figure. It is a value, so that every renderer
// shows it and a program can act on its code.
type Warning struct {
	// Code is one of the Warn constants.
	Code string `json:"code"`
	// Text says in one sentence what was seen and what it means.
	Text string `json:"text"`
}

// LeastOps is how many operations a trial should have.
const LeastOps = 100

// FewOps is the doubt of a trial that has fewer.
func FewOps() Warning {
	return Warning{WarnFewOps, fmt.Sprintf("fewer than %d operations a trial: what one of them took decides", LeastOps)}
}

// NotMeasured is the doubt of a run on a platform that cannot measure something.
func NotMeasured(what []string) Warning {
	return Warning{WarnPlatform, "not measured here: " + strings.Join(what, ", ")}
}

// Codes of warnings. docs/method.md gives the rule behind each.
const (
	WarnEffective  = "few-effective-goroutines"  // Σ goroutine time ÷ wall below 0.9 N
	WarnProcessors = "beyond-processors"         // more goroutines than processors
	WarnCores      = "gomaxprocs-beyond-cores"   // goroutines that count as running may wait for a core
	WarnGC         = "inconclusive-gc"           // wide interval, and the collector was busy
	WarnWide       = "wide-interval"             // interval too wide to act on
	WarnDisturbed  = "disturbed"                 // other processes or the hypervisor took time
	WarnThrottled  = "throttled"                 // the cgroup's quota held the process back
	WarnShort      = "short-window"              // a window below 50 ms
	WarnBrief      = "short-as-planned"          // a window below 50 ms, in a run whose plan asked for little more
	WarnTrials     = "few-trials"                // too few trials for an interval
	WarnTmpfs      = "tmpfs"                     // there is no disk under the directory
	WarnEnded      = "ended-by-error"            // the variant stopped before its last trial
	WarnFailed     = "failed-operations"         // a hundredth or more of what was asked failed
	WarnEmpty      = "empty-trials"              // a trial finished no operation
	WarnUnfinished = "unfinished"                // the run was interrupted or its file ends early
	WarnPlatform   = "not-measured-here"         // this platform cannot measure something
	WarnFewOps     = "few-operations"            // a trial of fewer than 100
	WarnFewCycles  = "few-cycles"                // users asked once in the window: no rate of theirs is known
	WarnAlone      = "ended-alone"               // the window's last answers, which nobody else waited for, can make the rate too high
	WarnSlowStart  = "slow-start"                // first operations took on average more than 5 % of the window
	WarnPlan       = "unlike-its-calibration"    // a trial took three times as long as planned, or a third
	WarnUnsteady   = "unsteady"                  // an operation took longer, or shorter, from half to half of its trials
	WarnRegimes    = "two-regimes"               // trials have one of two rates, and none between
	WarnTrend      = "trend"                     // rates rise or fall from trial to trial
	WarnInOrder    = "in-order"                  // blocks tell of those beside them: the run drifts, or its trials are autocorrelated
	WarnSamples    = "samples-unlike-rate"       // timed operations are unlike all: by Little's law
	WarnStuck      = "beside-stuck"              // goroutines of a trial that never ended were still running
	WarnLeft       = "beside-left-over"          // goroutines that earlier trials started were still at work
	WarnOutside    = "outside-run-parallel"      // timed work that no operation's time holds
	WarnRepeated   = "several-run-parallel"      // a benchmark called RunParallel several times
	WarnClock      = "below-clock"               // operations shorter than the clock can tell
	WarnKept       = "blocks-and-doubts-unknown" // the format that the trial was read from keeps neither
	WarnSaturated  = "generator-saturated"       // the generator of the open loop was late itself
	WarnSpent      = "generator-spent"           // what asked used the processors that it may
	WarnOrder      = "turned-round"              // the run given as the older was measured later
	WarnTurns      = "turns-between"             // of several runs, two others than the first and the last took turns
	WarnShift      = "shifted"                   // the machine changed between two runs, or what all variants share
	WarnMachines   = "two-machines"              // trials of different machines in one report
)
