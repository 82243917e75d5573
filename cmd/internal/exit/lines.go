package exit

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	// mostLines is how many lines wait to be written.
	mostLines = 256
	// lastWords is how long Close waits for them.
	lastWords = time.Second
)

// Lines writes lines to where they may not be taken, as a pipe that nobody reads: whoever has
// one to write does not wait. Those for which there is no room are counted, and that is
// written when the ones before them are.
type Lines struct {
	to      io.Writer
	waiting chan []byte
	lost    atomic.Int64
	closing chan struct{}
	ended   chan struct{}
}

// NewLines starts to write. Whoever calls it closes it.
func NewLines(to io.Writer) *Lines {
	l := &Lines{to: to, waiting: make(chan []byte, mostLines), closing: make(chan struct{}), ended: make(chan struct{})}
	go l.work()
	return l
}

// Write implements [io.Writer]: it takes a line, or counts it as lost.
func (l *Lines) Write(line []byte) (int, error) {
	select {
	case l.waiting <- bytes.Clone(line):
	default:
		l.lost.Add(1)
	}
	return len(line), nil
}

func (l *Lines) work() {
	defer close(l.ended)
	for {
		select {
		case line := <-l.waiting:
			l.write(line)
		case <-l.closing:
			for len(l.waiting) > 0 {
				l.write(<-l.waiting)
			}
			l.sayLost()
			return
		}
	}
}

func (l *Lines) write(line []byte) {
	l.to.Write(line) // where it cannot be written nobody can be told
	if len(l.waiting) == 0 {
		l.sayLost()
	}
}

// sayLost says how many lines are lost, if any is.
func (l *Lines) sayLost() {
	if n := l.lost.Swap(0); n > 0 {
		Say(l.to, fmt.Sprintf("%d lines are missing here: they were not taken in time", n))
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
