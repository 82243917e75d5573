package report

// A group of words with their meanings.
type group struct {
	Title string
	Terms []term
}

type term struct{ Word, Meaning string }

// glossary says what each word means, as docs/terms.md does: a test holds the
// two together.
func glossary() []group {
	return []group{{"Words", []term{
		{"experiment", "a question with variants that answer it"},
		{"variant", "one design"},
		{"factor, level", "something swept besides N, and one of its values (payload=3)"},
		{"operation", "what is counted and timed: an append, a get"},
		{"goroutines N", "how many goroutines run the operation at once; the levels of -g"},
		{"cell", "variant × factor levels × N"},
		{"trial", "one timed window of one cell"},
		{"block", "every cell once, in random order"},
		{"throughput X(N)", "operations ÷ wall time, in operations a second"},
		{"latency", "an operation's own time, from its start to its end"},
		{"goroutine time", "Σ over goroutines from the barrier to own end"},
		{"service time w", "mean time of an operation at N = 1"},
		{"serial rate 1/w", "what one goroutine reaches: the \"theoretical throughput\" of the documents this tool answers. A variant that scales passes it"},
		{"percent of serial rate", "X(N) ÷ X(1), paired within blocks"},
		{"widened", "of a ratio's interval: what equal numbers of operations could have made of it, where what one takes changes within a trial"},
		{"contention σ", "the share of an operation that goroutines do one after another; above 100 % N of them do less than one"},
		{"coherency κ", "what each of the other goroutines adds to an operation, as a share of it; it makes throughput fall behind its peak"},
		{"efficiency", "X(N) ÷ X(1), in percent of as many goroutines as there are or, if those are fewer, processors, as far as a quota grants them"},
		{"effective goroutines", "goroutine time ÷ wall time"},
		{"closed loop", "a goroutine starts its next operation when the last has returned"},
		{"open loop", "operations are due by the clock, whatever became of those before (--rate)"},
		{"response time", "from when an operation was due to its end; in the open loop that is its latency"},
		{"send lag", "from when an operation was due to its start"},
		{"coordinated omission", "a closed loop's blindness: while it waits for a slow operation it does not send those that would have been slow as well"},
		{"cycle", "of a user who asks a server: from one request to the next, users ÷ requests a second (Little's law)"},
		{"limit", "of a cycle: what the processor time of both sides and the users' rest leave as the reason why the rate is no higher"},
		{"promise", "what a variant guarantees, in three words (below)"},
		{"doubt", "an interval or a warning"},
		{"cause", "where goroutine time went"},
		{"verdict", "what the trials allow to say; ranks only variants of equal promise"},
		{"suite", "a named group of experiments, at levels of its own"},
		{"outcome", "how a trial without a rate went, or by what error a variant ended"},
		{"lost", "the share of the operations that were without effect, where the promise lets some be"},
		{"trade", "what a weaker promise buys: two variants of different promise, told side by side and never ranked"},
		{"claim", "what others concluded, held against the run's own figures: confirmed, contradicted or cannot be told"},
	}}, {"Promises", []term{
		{"order total", "all callers see one order of effects"},
		{"order per-caller", "each caller's own effects keep their order"},
		{"order none", "no order is kept"},
		{"result linearizable", "every call takes effect at one moment between its start and its end"},
		{"result unique", "no result is given twice"},
		{"result exactly-once", "of messages: each takes effect once, if only after the call that sent it has returned"},
		{"result at-most-once", "of messages: none takes effect twice, and some may not at all"},
		{"result lossy", "effects can be lost; how many is counted"},
		{"result independent", "operations share nothing"},
		{"result undefined", "nothing can be relied on: a data race"},
		{"result unstated", "a service of others, of which nobody has said"},
		{"survives nothing", "an acknowledged operation can be lost with the process"},
		{"survives process-crash", "it outlives the process (kill -9), not the machine"},
		{"survives power-cut", "it outlives the machine's loss of power"},
	}}}
}
