// Package naive keeps the logs that the documents of this project started
// from, exactly as they are drawn there: one embedded sync.RWMutex, a slice,
// and for FileLog one line of JSON and one write for each append.
//
// They are a baseline: what the logs of package commitlog are measured
// against, and the answer to "how slow is the obvious way?". They are not for
// use. An Append does not say which index it got. Get hands out the log's own
// entry, so that a reader can change it. A failed write leaves an entry that
// Get shows and the file does not have. A torn line makes the file
// unreadable. Nothing is ever flushed to the disk.
package naive

import (
	"fmt"
	"sync"
)

// An Entry is one value and its place in the log.
type Entry struct {
	Index int    `json:"index"`
	Value []byte `json:"value"`
}

// A Log is the interface of the documents.
type Log interface {
	// Open makes the log ready. A log in memory ignores the path.
	Open(path string) error
	// Append adds value at the end. The log keeps the slice it is given.
	Append(value []byte) error
	// Get returns the log's own entry at index.
	Get(index int) (*Entry, error)
	// Close ends the use of the log.
	Close() error
}

// InMemoryLog is a slice behind a lock. Order total, result linearizable,
// survives nothing.
type InMemoryLog struct {
	sync.RWMutex
	entries []*Entry
}

// Open implements [Log]. It empties the log.
func (l *InMemoryLog) Open(string) error {
	l.Lock()
	defer l.Unlock()
	l.entries = nil
	return nil
}

// Append implements [Log].
func (l *InMemoryLog) Append(value []byte) error {
	l.Lock()
	defer l.Unlock()
	l.entries = append(l.entries, &Entry{Index: len(l.entries), Value: value})
	return nil
}

// Get implements [Log].
func (l *InMemoryLog) Get(index int) (*Entry, error) {
	l.RLock()
	defer l.RUnlock()
	return at(l.entries, index)
}

// Close implements [Log].
func (l *InMemoryLog) Close() error {
	l.Lock()
	defer l.Unlock()
	l.entries = nil
	return nil
}

func at(entries []*Entry, index int) (*Entry, error) {
	if index < 0 || index >= len(entries) {
		return nil, fmt.Errorf("get entry %d: the log has %d", index, len(entries))
	}
	return entries[index], nil
}
