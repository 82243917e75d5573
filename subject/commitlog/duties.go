package commitlog

import "sync"

// A duty is work on files that takes its time, so that no lock is held meanwhile: one
// goroutine has it. Who has one may take those that come later in this order, and the
// turn, and nothing else.
type duty int

const (
	sealing   duty = iota // full segments
	preparing             // room for entries, and the segment that comes next
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

// exclude waits until nobody has a duty, and lets nobody take one until the function
// that it returns is called.
func (r *roster) exclude() (admit func()) {
	r.mu.Lock()
	for r.taken != [duties]bool{} {
		r.given.Wait()
	}
	return r.mu.Unlock
}
