package naive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// FileLog is a slice behind a lock, and a file of one JSON line an entry that
// follows it. Order total, result linearizable, survives process-crash.
type FileLog struct {
	sync.RWMutex
	entries []*Entry
	file    *os.File
}

// Open implements [Log]. It reads the entries of the file at path, and
// creates the file if there is none.
func (l *FileLog) Open(path string) error {
	l.Lock()
	defer l.Unlock()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	entries, err := readEntries(file)
	if err != nil {
		return fmt.Errorf("open log: entry %d of %s: %w", len(entries), path, errors.Join(err, file.Close()))
	}
	l.file, l.entries = file, entries
	return nil
}

func readEntries(in io.Reader) ([]*Entry, error) {
	var entries []*Entry
	for lines := json.NewDecoder(in); ; {
		entry := new(Entry)
		if err := lines.Decode(entry); err == io.EOF {
			return entries, nil
		} else if err != nil {
			return entries, err
		}
		entries = append(entries, entry)
	}
}

// Append implements [Log].
func (l *FileLog) Append(value []byte) error {
	l.Lock()
	defer l.Unlock()
	entry := &Entry{Index: len(l.entries), Value: value}
	l.entries = append(l.entries, entry)
	line, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("append entry %d: %w", entry.Index, err)
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("append entry %d: %w", entry.Index, err)
	}
	return nil
}

// Get implements [Log].
func (l *FileLog) Get(index int) (*Entry, error) {
	l.RLock()
	defer l.RUnlock()
	return at(l.entries, index)
}

// Close implements [Log].
func (l *FileLog) Close() error {
	l.Lock()
	defer l.Unlock()
	l.entries = nil
	return l.file.Close()
}
