package albums

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Locked is a list under a lock, which is held while the list is encoded.
type Locked struct {
	lock  sync.Locker // for changes
	read  sync.Locker // for looking
	most  int
	keep  int // 0: all
	all   []Album
	gone  int            // that were taken away
	place map[string]int // ID → place among all that ever were
}

// NewMutex returns a list under a sync.Mutex: one request looks at it at a time.
func NewMutex(o Options) *Locked {
	mu := new(sync.Mutex)
	return newLocked(o, mu, mu)
}

// NewRWMutex returns a list under a sync.RWMutex: many look at it, or one changes it.
func NewRWMutex(o Options) *Locked {
	mu := new(sync.RWMutex)
	return newLocked(o, mu, mu.RLocker())
}

func newLocked(o Options, lock, read sync.Locker) *Locked {
	l := &Locked{lock: lock, read: read, most: o.most(), keep: o.Keep, all: []Album{}, place: map[string]int{}}
	o.fill(l)
	return l
}

// Add implements [Store].
func (l *Locked) Add(a Album) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	if _, there := l.place[a.ID]; there {
		return fmt.Errorf("add album %q: %w", a.ID, ErrExists)
	}
	if len(l.all) >= l.most {
		return fmt.Errorf("add album %q: %w: %d of them", a.ID, ErrFull, l.most)
	}
	l.place[a.ID] = l.gone + len(l.all)
	l.all = append(l.all, a)
	if l.keep > 0 && len(l.all) > l.keep {
		delete(l.place, l.all[0].ID)
		l.all = l.all[1:]
		l.gone++
	}
	return nil
}

// Get implements [Store].
func (l *Locked) Get(id string) (Album, bool) {
	l.read.Lock()
	defer l.read.Unlock()
	at, there := l.place[id]
	if !there {
		return Album{}, false
	}
	return l.all[at-l.gone], true
}

// Len implements [Store].
func (l *Locked) Len() int {
	l.read.Lock()
	defer l.read.Unlock()
	return len(l.all)
}

// WriteTo implements [Store]. The lock is given back before anything is written: who
// reads slowly holds up nobody.
func (l *Locked) WriteTo(w io.Writer) (int64, error) {
	text, err := l.encode()
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(text).WriteTo(w)
}

func (l *Locked) encode() ([]byte, error) {
	l.read.Lock()
	defer l.read.Unlock()
	return json.Marshal(l.all)
}
