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
	keep    int // 0: all
	current atomic.Pointer[snapshot]
	place   sync.Map // ID → placed

	mu  sync.Mutex // of those that add
	ids []string   // of what is there, the oldest first; where some are to go
}

// A snapshot never changes. What is added is appended to the same bytes, behind those
// that an older one has.
type snapshot struct {
	gone, count int    // that were taken away, and that ever were
	text        []byte // the albums with commas between them
}

// A placed album is there once a snapshot counts more than at, until at is gone.
type placed struct {
	Album
	at int
}

// NewSnapshot returns a list that keeps itself encoded.
func NewSnapshot(o Options) *Snapshot {
	s := &Snapshot{most: o.most(), keep: o.Keep}
	s.current.Store(new(snapshot))
	o.fill(s)
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
	if now.count-now.gone >= s.most {
		return fmt.Errorf("add album %q: %w: %d of them", a.ID, ErrFull, s.most)
	}
	next := &snapshot{gone: now.gone, count: now.count + 1, text: now.text}
	if len(now.text) > 0 {
		next.text = append(next.text, ',')
	}
	next.text = append(next.text, text...)
	s.place.Store(a.ID, placed{a, now.count})
	oldest := s.shorten(next, a.ID)
	s.current.Store(next) // from here on it is in the list and under its ID, at once
	if oldest != "" {
		s.place.Delete(oldest)
	}
	return nil
}

// shorten takes the oldest out of a list that is to keep its length, and returns its ID;
// empty if none goes.
func (s *Snapshot) shorten(next *snapshot, added string) (oldest string) {
	if s.keep <= 0 {
		return ""
	}
	s.ids = append(s.ids, added)
	if len(s.ids) <= s.keep {
		return ""
	}
	oldest, s.ids = s.ids[0], s.ids[1:]
	found, _ := s.place.Load(oldest)
	next.text = next.text[len(found.(placed).Album.encode())+1:] // and the comma behind it
	next.gone++
	return oldest
}

// Get implements [Store].
func (s *Snapshot) Get(id string) (Album, bool) {
	found, there := s.place.Load(id)
	if !there {
		return Album{}, false
	}
	p := found.(placed)
	if now := s.current.Load(); p.at < now.gone || p.at >= now.count {
		return Album{}, false
	}
	return p.Album, true
}

// Len implements [Store].
func (s *Snapshot) Len() int {
	now := s.current.Load()
	return now.count - now.gone
}

// WriteTo implements [Store].
func (s *Snapshot) WriteTo(w io.Writer) (int64, error) {
	parts := net.Buffers{[]byte("["), s.current.Load().text, []byte("]")}
	return parts.WriteTo(w)
}
