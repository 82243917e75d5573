package results

// A Cycle is where a user's time goes in a cell from one request to the next, and how
// many processors work meanwhile. Medians over the trials.
type Cycle struct {
	WholeNS   Number `json:"whole_ns"`   // users ÷ requests a second, by Little's law
	AnswerNS  Number `json:"answer_ns"`  // the mean of a request
	BetweenNS Number `json:"between_ns"` // what is left: a rest that the user takes, or what asks is late

	Server    Number `json:"server"`    // processors busy on average
	Generator Number `json:"generator"` // the same of what asks

	FirstBytes Number `json:"first_bytes"` // an answer's mean size in the first stretch
	LastBytes  Number `json:"last_bytes"`  // and in the last one; both that of all, where the mix of requests can be the difference

	Others Number `json:"others"` // the same of programs that are no part of the trial; missing where nobody knows

	Bound string `json:"bound"` // what limits the rate: one of the words below; empty: not known
}

// What can limit a rate.
const (
	BoundByUsers      = "users"      // they rest, or each waits for its answer alone
	BoundByGenerator  = "generator"  // its processes use what processors they can
	BoundByServer     = "server"     // the same
	BoundByProcessors = "processors" // both together use all of the machine's
	BoundByOthers     = "others"     // programs that are no part of the trial use what is left of them
	BoundByWaiting    = "waiting"    // requests wait, and for no processor: for each other at a lock, for a disk
)

// Scaled is what more workers brought in a cell, beside what bounds it.
type Scaled struct {
	Scale   Scale             `json:"scale"`
	Factors map[string]string `json:"factors,omitempty"`
	Users   int               `json:"users"`
	Ratio   Interval          `json:"ratio"` // of rates, Of ÷ To
	// Amdahl is the bound of Amdahl's law (1967) for so many workers, with the server's
	// share of the processor time as what cannot be divided among them.
	Amdahl Number `json:"amdahl"`
	// Machine is the bound of the processors: all that there are ÷ those that are busy
	// with one worker.
	Machine Number `json:"machine"`
}
