package harness

import (
	"cmp"
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Config says how to measure. The zero value measures every experiment at its
// own levels of N, in six blocks, without a budget, in a directory below the
// working directory.
type Config struct {
	// Goroutines are the levels of N, each at least 1, none twice. Empty: the
	// experiment's own.
	Goroutines []int
	// Trials is the number of blocks: how often every cell is measured.
	Trials int
	// Pairs, if set, tells [RunTurns] how many pairs of trials a variant needs, by the rates of those
	// that it has, cell by cell and block by block: [LeastPairs] at least, and Trials at most, which all have
	// without. It has to tell the same of the same. Nothing else heeds it.
	Pairs func(newer, older [][]float64) int
	// BlocksApart has [RunApart] measure each block in a fresh process: two processes differ
	// by more than two trials of one do, and so an interval over blocks holds that, too.
	// Calibration is no part of any. [Run] has one process and refuses it.
	BlocksApart bool
	// Window is the mean length of a trial over the levels of a variant. Zero:
	// the experiment's own.
	Window time.Duration
	// Budget is how long the whole run may take; windows shrink to keep it, but
	// not below 30 ms on average: then it takes longer.
	// Zero: no budget.
	Budget time.Duration
	// Ops fixes the operations of a trial, of all goroutines together; zero
	// calibrates.
	Ops int
	// Timeout is how long one trial may take before its variant ends by an
	// error. Zero: 20 s, or 20 times what its plan says if that is longer.
	Timeout time.Duration
	// Seed fixes the order of the trials and the seeds given to variants; zero
	// draws one.
	Seed uint64
	// Dir is where trials get their directories. It decides which disk is
	// measured.
	Dir string
	// Rates make it the open loop: operations are due at a rate, as [ParseArrivals]
	// reads it, and each rate is a level of a factor of that name. Empty: the closed
	// loop.
	Rates []string
	// Levels are the levels of factors by name; a factor that is absent stands
	// at its default.
	Levels map[string][]string
	// Why has each cell measured once more, traced, when all trials are done: a
	// results.Breakdown tells where the goroutines' time went. Nothing else changes.
	Why bool
	// WhyFiles is a directory, empty or new, in which the traces and profiles that Why reads are
	// kept; empty: they are not. A trace has at most 64 MiB.
	WhyFiles string
	// Command is recorded as how to repeat the run.
	Command []string
	// Record, if set, receives each record when it is measured: one
	// results.Env, then Experiments, then Trials and Outcomes. It is called
	// between trials only. An error ends the run.
	Record func(record any) error
	// Say, if set, is told what takes long before anything is measured.
	Say func(text string)
	// Progress, if set, is told before each trial what comes and what is left.
	Progress func(Progress)
}

// Progress is where a run stands.
type Progress struct {
	Done, Total int
	Calibrating bool
	Cell        results.Cell
	Tracing     bool           // the trials are done
	OpsPerS     results.Number // of the cell's trials so far; missing before the first
	Left        time.Duration  // estimated
}

// Limits of Config.
const (
	MaxGoroutines  = 100_000
	leastWindow    = 30 * time.Millisecond // the mean of a series' windows, however small the budget: shorter ones say nothing
	openWindow     = 2 * time.Second
	openGoroutines = 64

	floorWindow = 50 * time.Millisecond // the fastest cell lasts at least this, budget allowing
)

func (c Config) withDefaults() Config {
	if c.Trials == 0 {
		c.Trials = 6
	}
	if c.Dir == "" {
		c.Dir = "."
	}
	return c
}

// LevelsOf returns the levels of N at which an experiment is measured. In the open
// loop N is how many operations can be under way.
func (c Config) LevelsOf(e Experiment) []int {
	switch {
	case len(c.Goroutines) > 0 && !e.Fixed:
		return c.Goroutines
	case len(c.Rates) > 0 && !e.Fixed:
		return []int{openGoroutines}
	case len(e.Goroutines) > 0:
		return e.Goroutines
	}
	return []int{1, 2, 4, 8, 16}
}

// window is the mean length of a trial of an experiment.
func (c Config) window(e Experiment) time.Duration {
	if len(c.Rates) > 0 {
		return c.openWindow()
	}
	return cmp.Or(c.Window, e.Window, 220*time.Millisecond)
}

// openWindow is the length of a trial of the open loop.
func (c Config) openWindow() time.Duration { return cmp.Or(c.Window, openWindow) }

// Check reports the first setting that cannot be measured.
func (c Config) Check() error {
	if err := CheckGoroutines(c.Goroutines); err != nil {
		return err
	}
	switch {
	case c.Trials < 0:
		return fmt.Errorf("trials %d: at least 1", c.Trials)
	case c.Window < 0:
		return fmt.Errorf("time %v: more than 0", c.Window)
	case c.Timeout < 0:
		return fmt.Errorf("timeout %v: more than 0", c.Timeout)
	case c.Ops < 0:
		return fmt.Errorf("ops %d: at least 1", c.Ops)
	}
	if c.Ops > 0 && len(c.Rates) > 0 {
		return fmt.Errorf("ops %d: as many as are due at the rates", c.Ops)
	}
	return c.checkRates()
}

// checkRates reports a rate that cannot be held, or one that is there twice, however it is
// written.
func (c Config) checkRates() error {
	seen := map[string]bool{}
	for _, text := range c.Rates {
		a, err := ParseArrivals(text)
		if err != nil {
			return err
		}
		if err := a.check(c.openWindow()); err != nil {
			return err
		}
		if seen[a.String()] {
			return fmt.Errorf("rate %s: named twice", text)
		}
		seen[a.String()] = true
	}
	return nil
}

// checkLevels reports a level of N that the operations cannot be shared among.
func (c Config) checkLevels(e Experiment) error {
	for _, n := range c.LevelsOf(e) {
		if c.Ops > 0 && c.Ops < n {
			return fmt.Errorf("ops %d: fewer than %d goroutines", c.Ops, n)
		}
	}
	return nil
}

// checkTime reports what an experiment by time, or a variant that another program
// measures, cannot be asked for.
func (c Config) checkTime(e Experiment) error {
	if c.Ops > 0 && e.ByTime {
		return fmt.Errorf("ops %d: a trial of %s ends by the clock", c.Ops, e.Name)
	}
	for _, v := range e.Variants {
		if len(c.Rates) > 0 && v.Elsewhere != nil {
			return fmt.Errorf("rate %s: %s/%s is asked by another program, which keeps none", c.Rates[0], e.Name, v.Name)
		}
	}
	return nil
}

// CheckGoroutines reports the first level of N that cannot be measured.
func CheckGoroutines(levels []int) error {
	seen := map[int]bool{}
	for _, n := range levels {
		switch {
		case n < 1:
			return fmt.Errorf("goroutines %d: at least 1", n)
		case n > MaxGoroutines:
			return fmt.Errorf("goroutines %d: at most %d", n, MaxGoroutines)
		case seen[n]:
			return fmt.Errorf("goroutines %d: named twice", n)
		}
		seen[n] = true
	}
	return nil
}
