package actor

import "sync"

// Trace records messages in the order in which their handling began. Several actors may
// share one: it is then a serial order that contradicts nothing anybody could see, each
// actor's messages in its own order, and none before the one whose handler sent it
// (Lamport, Time, clocks and the ordering of events, 1978). Of two handlers at work at
// once it does not say whose message came first to a third. The zero Trace is one of
// NewTrace(0).
type Trace struct {
	mu    sync.Mutex
	most  int
	at    int // where the oldest stands once there are most of them
	total int
	steps []Step
}

// Step is a message that an actor began to handle.
type Step struct {
	Actor   string
	Message any
}

// NewTrace returns a trace that keeps the last messages, so many; 0 means 1024.
func NewTrace(most int) *Trace {
	return &Trace{most: most}
}

func (t *Trace) add(actor string, message any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total++
	if t.most <= 0 {
		t.most = defaultCapacity
	}
	if len(t.steps) < t.most {
		t.steps = append(t.steps, Step{actor, message})
		return
	}
	t.steps[t.at] = Step{actor, message}
	t.at = (t.at + 1) % t.most
}

// Steps are those that were kept, the oldest first, and how many there were in all.
func (t *Trace) Steps() (kept []Step, total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept = append(kept, t.steps[t.at:]...)
	return append(kept, t.steps[:t.at]...), t.total
}
