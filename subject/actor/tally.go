package actor

import "time"

// A flow is what has come, or gone: how many messages, and the sum of the moments at
// which those did for which somebody watched. The sum goes round: only what it grows by
// means something.
type flow struct{ n, at int64 }

func (f *flow) add(n int, at int64) {
	f.n += int64(n)
	f.at += int64(n) * at
}

// A tally is what came into a mailbox, and what of that it dropped again to make room.
type tally struct {
	came, shed flow
	dropped    int   // of those, and of those that did not come in
	handed     int64 // over to who receives
}

func (t tally) plus(other tally) tally {
	return tally{flow{t.came.n + other.came.n, t.came.at + other.came.at}, flow{t.shed.n + other.shed.n, t.shed.at + other.shed.at}, t.dropped + other.dropped, t.handed + other.handed}
}

// in is how many have come and were not dropped.
func (t tally) in() int64 { return t.came.n - t.shed.n }

// A tallied mailbox knows what came into it; one that is watchable knows when it did,
// while it has watchers.
type (
	tallied   interface{ tally() tally }
	watchable interface {
		tallied
		watch(watchers int) // so many more; fewer if it is negative
	}
)

// moment is now, in nanoseconds from when the process began.
func moment() int64 { return int64(time.Since(epoch)) }

var epoch = time.Now()
