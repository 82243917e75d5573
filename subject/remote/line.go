package remote

import (
	"container/list"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// A line is what comes from one peer: on one stream or, in a session, on one after
// another.
type line struct {
	session   string        // empty if it ends with its stream
	place     *list.Element // among those that are remembered
	forgotten atomic.Bool   // it is not among them any more

	mu         sync.Mutex // of what follows; whoever holds it handles
	from       string
	generation int    // of streams
	next       uint64 // the number of the message that is due
	unsettled  queue[answers]
	size       int // bytes of those
}

// Answers are those to some messages, one behind the other.
type answers struct {
	first  uint64 // the number of the first message
	count  int
	frames []byte
}

// mostUnsettled is how many bytes of answers are kept that a peer has not said to have.
const mostUnsettled = 64 << 20

var errUnsettled = errors.New("too many answers wait to be settled")

// keep remembers answers until they are settled, where they may have to be sent again.
func (l *line) keep(all []answers) error {
	if l.session == "" {
		return nil
	}
	for _, a := range all {
		l.unsettled.push(a)
		l.size += len(a.frames)
	}
	if l.size > mostUnsettled {
		return fmt.Errorf("%w: %d bytes", errUnsettled, l.size)
	}
	return nil
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
			l.unsettled.pop(1, nil)
		}
	}
}

// goesOn reports whether a peer can go on that has the answers before that of a number.
func (l *line) goesOn(next uint64) bool {
	l.settle(next - 1)
	due := l.next
	if l.unsettled.len() > 0 {
		due = l.unsettled.waiting()[0].first
	}
	return !l.forgotten.Load() && due == next
}
