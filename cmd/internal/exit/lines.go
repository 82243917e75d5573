package exit

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

const (
	// mostLines is how many lines wait to be written.
	mostLines = 256
	// lastWords is how long Close waits for them.
	lastWords = time.Second
)

// Lines writes lines to where they may not be taken, as a pipe that nobody reads: whoever has
// one to write does not wait. Those for which there is no room are counted, and that is
// written where they are missing.
type Lines struct {
	to      io.Writer
	waiting chan line
	closing chan struct{}
	ended   chan struct{}

	untold int // lines that are missing here; the writing goroutine's

	mu   sync.Mutex // guards lost, and that waiting is added to
	lost int        // behind the last one that waits
}

// A line waits to be written.
type line struct {
	text []byte
	lost int // right before it
}

// NewLines starts to write. Whoever calls it closes it.
func NewLines(to io.Writer) *Lines {
	l := &Lines{to: to, waiting: make(chan line, mostLines), closing: make(chan struct{}), ended: make(chan struct{})}
	go l.work()
	return l
}

// Write implements [io.Writer]: it takes a line, or counts it as lost.
func (l *Lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.waiting <- line{text: bytes.Clone(text), lost: l.lost}:
		l.lost = 0
	default:
		l.lost++
	}
	return len(text), nil
}

func (l *Lines) work() {
	defer close(l.ended)
	for {
		select {
		case next := <-l.waiting:
			l.write(next)
		case <-l.closing:
			for len(l.waiting) > 0 {
				l.write(<-l.waiting)
			}
			return
		}
	}
}

// write writes a line. One that cannot be written is lost, too.
func (l *Lines) write(next line) {
	l.untold += next.lost
	l.tellLost()
	if _, err := l.to.Write(next.text); err != nil {
		l.untold++
	}
	l.untold += l.lostLast()
	l.tellLost()
}

// lostLast takes how many are lost behind all that were written; 0 where more wait.
func (l *Lines) lostLast() (lost int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		lost, l.lost = l.lost, 0
	}
	return lost
}

// tellLost says how many lines are missing here, if that can be written.
func (l *Lines) tellLost() {
	if l.untold == 0 {
		return
	}
	text := new(bytes.Buffer)
	Say(text, results.Count(l.untold, "line")+" missing here, not taken in time")
	if _, err := l.to.Write(text.Bytes()); err == nil {
		l.untold = 0
	}
}

// Close waits until all is written, but for a second only. What is written later may be lost.
func (l *Lines) Close() {
	close(l.closing)
	select {
	case <-l.ended:
	case <-time.After(lastWords):
	}
}
