package remote

import (
	"container/list"
	"context"
	"sync/atomic"
)

// A line is what comes from one peer, on one stream after another. Of two the one that
// came last has it.
type line struct {
	id     string
	once   bool         // what was handled is remembered when no stream is there
	stream atomic.Int64 // the number of the one that came last

	// The receiver's, under its lock.
	streams int           // that are there
	place   *list.Element // among those without a stream

	// Of who holds the line.
	held      chan struct{} // has room for one
	from      string
	most      int    // bytes that the peer takes in an answer
	began     uint64 // the number of the first message of the session
	next      uint64 // the number of the message that is due
	noted     bool   // the inbox has the session's beginning
	unsettled queue[answers]
	size      int // bytes of those
}

// Answers are those to some messages, one behind the other.
type answers struct {
	first  uint64 // the number of the first message
	count  int
	frames []byte
}

// mostUnsettled is how many bytes of answers are kept that a peer has not said to have.
const (
	mostUnsettled = 16 << 20
	keptBesides   = 64 // bytes that each packet of answers takes besides
)

func newLine(id string, once bool, began, next uint64) *line {
	return &line{id: id, once: once, held: make(chan struct{}, 1), began: began, next: next}
}

// hold waits for whoever holds the line, and reports whether the caller's stream is still
// the last one: then it has to let go.
func (l *line) hold(ctx context.Context, stream int64) error {
	select {
	case l.held <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if l.stream.Load() != stream {
		l.letGo()
		return errTakenOver
	}
	return nil
}

func (l *line) letGo() { <-l.held }

// isUnused reports whether nothing was handled in this session. The line has no stream.
func (l *line) isUnused() bool { return l.next == l.began }

// restart begins a session anew.
func (l *line) restart(began, next uint64) {
	l.began, l.next, l.noted, l.size, l.unsettled = began, next, false, 0, queue[answers]{}
}

// keep notes that messages were handled, and remembers their answers until they are
// settled, where they may have to be sent again.
func (l *line) keep(a answers) {
	l.next = a.first + uint64(a.count)
	if l.once {
		l.unsettled.push(a)
		l.size += len(a.frames) + keptBesides
	}
}

// settle forgets the answers up to that of a number.
func (l *line) settle(number uint64) {
	for l.unsettled.len() > 0 && l.unsettled.waiting()[0].first <= number {
		front := &l.unsettled.waiting()[0]
		before := len(front.frames)
		for front.count > 0 && front.first <= number {
			_, _, front.frames, _ = cutFrame(front.frames) // we have made them
			front.first++
			front.count--
		}
		l.size -= before - len(front.frames)
		if front.count == 0 {
			l.size -= keptBesides
			l.unsettled.pop(1, nil)
		}
	}
}

// goesOn reports whether a peer can go on that has the answers before that of a number.
func (l *line) goesOn(began, next uint64) bool {
	if l.began != began {
		return false
	}
	l.settle(next - 1)
	due := l.next
	if l.unsettled.len() > 0 {
		due = l.unsettled.waiting()[0].first
	}
	return due == next
}
