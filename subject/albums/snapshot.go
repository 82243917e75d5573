package albums

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// Snapshot is a list that is encoded once, when something is added: who looks takes what
// is there, without a lock.
type Snapshot struct {
	most    int
	current atomic.Pointer[snapshot]
	place   sync.Map // ID → placed

	mu sync.Mutex // of those that add
}

// A snapshot never changes. What is added is appended to the same bytes, behind those
// that an older one has.
type snapshot struct {
	count int
	text  []byte // the albums with commas between them
}

// A placed album is there once a snapshot has more than at.
type placed struct {
	Album
	at int
}

// NewSnapshot returns a list that keeps itself encoded.
func NewSnapshot(o Options) *Snapshot {
	s := &Snapshot{most: o.most()}
	s.current.Store(new(snapshot))
	return s
}

// Add implements [Store].
func (s *Snapshot) Add(a Album) error {
	text := a.encode()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.current.Load()
	if _, there := s.place.Load(a.ID); there {
		return fmt.Errorf("add album %q: %w", a.ID, ErrExists)
	}
	if now.count >= s.most {
		return fmt.Errorf("add album %q: %w: %d of them", a.ID, ErrFull, s.most)
	}
	next := &snapshot{count: now.count + 1, text: now.text}
	if now.count > 0 {
		next.text = append(next.text, ',')
	}
	next.text = append(next.text, text...)
	s.place.Store(a.ID, placed{a, now.count})
	s.current.Store(next) // from here on it is in the list and under its ID, at once
	return nil
}

// Get implements [Store].
func (s *Snapshot) Get(id string) (Album, bool) {
	found, there := s.place.Load(id)
	if !there {
		return Album{}, false
	}
	p := found.(placed)
	if p.at >= s.Len() {
		return Album{}, false
	}
	return p.Album, true
}

// Len implements [Store].
func (s *Snapshot) Len() int { return s.current.Load().count }

// WriteTo implements [Store].
func (s *Snapshot) WriteTo(w io.Writer) (int64, error) {
	parts := net.Buffers{[]byte("["), s.current.Load().text, []byte("]")}
	return parts.WriteTo(w)
}
