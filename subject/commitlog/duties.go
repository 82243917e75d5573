package commitlog

import "sync"

// A duty is work on files that takes its time, so that no lock is held meanwhile: one
// goroutine has it. Who has one may take those that come later in this order, and the
// turn, and nothing else.
type duty int

const (
	sealing   duty = iota // full segments
	naming                // the file of the segment that comes next
	preparing             // room for entries
	flushing              // what was appended, to the disk
	writing               // what memory holds, to the file
	duties
)

// A roster says who has which duty.
type roster struct {
	mu    sync.Mutex
	given sync.Cond // a duty was given back
	taken [duties]bool
}

func (r *roster) init() { r.given.L = &r.mu }

// take waits for a duty.
func (r *roster) take(d duty) {
	r.mu.Lock()
	for r.taken[d] {
		r.given.Wait()
	}
	r.taken[d] = true
	r.mu.Unlock()
}

func (r *roster) give(d duty) {
	r.mu.Lock()
	r.taken[d] = false
	r.mu.Unlock()
	r.given.Broadcast()
}

// exclude takes all duties, one after the other in their order, so that it need not wait for
// a moment at which nobody has any. They are given back by the function that it returns.
func (r *roster) exclude() (admit func()) {
	for d := range duties {
		r.take(d)
	}
	return func() {
		for d := range duties {
			r.give(d)
		}
	}
}
