package results

// RateFactor is the factor whose levels are the rates of the open loop, operations that
// are due a second: 100k, steps 1k+2k, a ramp 1k-10k, drawn poisson:5k.
const RateFactor = "rate"

// Open is what the open loop adds to a trial, whose Latency is the response time:
// from when an operation was due to its end.
type Open struct {
	Due      int     `json:"due"`       // operations that were due in the window
	Unsent   int     `json:"unsent"`    // of these, not begun by the deadline
	WindowNS int64   `json:"window_ns"` // in which they were due
	LastNS   int64   `json:"last_ns"`   // when the last one was due, from the start
	BegunNS  int64   `json:"begun_ns"`  // when the last one was begun
	Serve    Latency `json:"service"`   // service time: from an operation's own start to its end
	Lag      Latency `json:"lag"`       // send lag: from when it was due to its start
	Late     Latency `json:"late"`      // how much of that the generator itself was late by, waiting for nobody
}

// DuePerS is the rate that was asked for.
func (o *Open) DuePerS() Number { return Number(o.Due) / Number(o.WindowNS) * 1e9 }

// DonePerS is the rate at which operations were begun that were done.
func (o *Open) DonePerS(ops int) Number {
	return Number(ops) / Number(max(o.WindowNS, o.BegunNS)) * 1e9
}

const (
	mostBehind = 0.05 // of the window, by which the last operation may begin too late
	leastTimes = 4    // as long as an operation takes a window must last
)

// KeptUp reports whether all that was due was sent, and nothing waited to be begun for
// more than a twentieth of the window at its end. Nobody can tell, and judged is false,
// where fewer than two operations were due, or one takes a quarter of the window: that
// they were all begun tells nothing of the rate at which they end.
func (o *Open) KeptUp() (kept, judged bool) {
	window := Number(o.WindowNS)
	kept = o.Unsent == 0 && Number(o.BegunNS-o.LastNS) <= mostBehind*window
	return kept, o.Due >= 2 && (!kept || o.Serve.MeanNS*leastTimes <= window)
}

// OpenSummary is the open loop in a Summary. Quantiles are of the operations of all
// trials.
type OpenSummary struct {
	DuePerS  Number `json:"due_per_s"`
	DonePerS Number `json:"done_per_s"`
	KeptUp   int    `json:"kept_up"` // trials in which all that was due was sent, and begun in time
	Judged   int    `json:"judged"`  // trials that tell whether it was
	Unsent   int    `json:"unsent"`  // operations, of all trials
	ServeNS  Number `json:"service_p99_ns"`
	LagNS    Number `json:"lag_p99_ns"`
	LateNS   Number `json:"late_p99_ns"` // of fewer than 1,000 operations the maximum
	// Saturated says that the generator itself was late: what it measured is not of the
	// operation alone.
	Saturated bool `json:"saturated"`
}
