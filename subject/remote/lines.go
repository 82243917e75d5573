package remote

import (
	"container/list"
	"errors"
	"sync"
)

// Lines are those of a receiver: of the peers that are connected, and of so many others
// that send exactly once.
type lines struct {
	most int // that are remembered

	mu         sync.Mutex // of what follows
	all        map[string]*line
	remembered int
	silent     *list.List // of those without a stream that are remembered, the longest in front
	forgotten  bool       // one of them was
}

func newLines(most int) *lines {
	return &lines{most: most, all: make(map[string]*line), silent: list.New()}
}

var (
	errSessions = errors.New("all sessions that can be remembered are in use")
	errOther    = errors.New("the session is that of a peer of another kind")
)

// enter gives the line of a peer to a stream. Where there is none it is made by fresh,
// which returns nil if it must not be.
func (s *lines) enter(id string, once bool, fresh func() *line) (*line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, known := s.all[id]
	switch {
	case known && l.once != once:
		return nil, errOther
	case !known:
		var err error
		if l, err = s.add(id, once, fresh); l == nil {
			return nil, err
		}
	}
	if l.place != nil {
		s.silent.Remove(l.place)
		l.place = nil
	}
	l.streams++
	return l, nil
}

func (s *lines) add(id string, once bool, fresh func() *line) (*line, error) {
	l := fresh()
	if l == nil {
		return nil, nil
	}
	if once && s.remembered >= s.most && !s.forget() {
		return nil, errSessions
	}
	s.all[id] = l
	if once {
		s.remembered++
	}
	return l, nil
}

// forget forgets the line that was silent longest, if one is.
func (s *lines) forget() bool {
	front := s.silent.Front()
	if front == nil {
		return false
	}
	delete(s.all, s.silent.Remove(front).(*line).id)
	s.remembered--
	s.forgotten = true
	return true
}

// leave ends a stream's part in a line.
func (s *lines) leave(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.streams--; l.streams > 0 {
		return
	}
	if l.once {
		l.place = s.silent.PushBack(l)
	} else {
		delete(s.all, l.id)
	}
}
