package results

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
