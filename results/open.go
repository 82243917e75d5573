package results

// RateFactor is the factor whose levels are the rates of the open loop, operations that
// are due a second: 100k, steps 1k+2k, a ramp 1k-10k, drawn poisson:5k.
const RateFactor = "rate"

// Open is what the open loop adds to a trial, whose Latency is the response time:
// from when an operation was due to its end.
type Open struct {
	Due    int     `json:"due"`     // operations that were due in the window
	Unsent int     `json:"unsent"`  // of these, not begun by the deadline
	LastNS int64   `json:"last_ns"` // when the last one was due, from the start
	Serve  Latency `json:"service"` // service time: from an operation's own start to its end
	Lag    Latency `json:"lag"`     // send lag: from when it was due to its start
	Late   Latency `json:"late"`    // how much of that the generator itself was late by, waiting for nobody
}

// donePerS is the rate that was reached: operations done, over the time in which all
// were due, or until the last had ended, whichever is longer.
func (t Trial) donePerS() Number {
	return Number(t.Ops) / Number(max(t.WallNS, t.Open.LastNS)) * 1e9
}

// DuePerS is the rate that was asked for. One operation alone has none.
func (o *Open) DuePerS() Number {
	if o.Due < 2 || o.LastNS <= 0 {
		return Missing()
	}
	return Number(o.Due-1) / Number(o.LastNS) * 1e9
}

// leastKept is the share of what was due that is done in its time where an operation
// keeps up.
const leastKept = 0.95

// KeptUp reports whether all that was due was sent, and done at the rate at which it
// was due.
func (t Trial) KeptUp() bool {
	return t.Open != nil && t.Open.Unsent == 0 && !(t.donePerS() < leastKept*t.Open.DuePerS())
}

// OpenSummary is the open loop in a Summary. Quantiles are of the operations of all
// trials.
type OpenSummary struct {
	DuePerS Number `json:"due_per_s"`
	KeptUp  int    `json:"kept_up"` // trials in which all that was due was sent, and done at its rate
	Unsent  int    `json:"unsent"`  // operations, of all trials
	ServeNS Number `json:"service_p99_ns"`
	LagNS   Number `json:"lag_p99_ns"`
	LateNS  Number `json:"late_p99_ns"`
	// Saturated says that the generator itself was late: what it measured is not of the
	// operation alone.
	Saturated bool `json:"saturated"`
}
