package remote

import (
	"container/list"
	"errors"
	"sync"
)

// Lines are those of a receiver: of the peers that are connected, and of so many others
// that send exactly once.
type lines struct {
	most      int               // that are remembered
	forgetful func(*line) error // told which one is forgotten

	mu         sync.Mutex // of what follows
	all        map[string]*line
	remembered int
	silent     *list.List // of those without a stream that are remembered, in the order in which they are forgotten
}

func newLines(most int, forgetful func(*line) error) *lines {
	return &lines{most: most, forgetful: forgetful, all: make(map[string]*line), silent: list.New()}
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
	for once && s.remembered >= s.most {
		if err := s.forget(); err != nil {
			return nil, err
		}
	}
	s.all[id] = l
	if once {
		s.remembered++
	}
	return l, nil
}

// forget forgets a line on which nothing was handled, else the one that was silent longest.
func (s *lines) forget() error {
	front := s.silent.Front()
	if front == nil {
		return errSessions
	}
	l := front.Value.(*line)
	if err := s.forgetful(l); err != nil {
		return err
	}
	s.drop(l)
	return nil
}

// drop takes out a line that is remembered and has no stream.
func (s *lines) drop(l *line) {
	s.silent.Remove(l.place)
	delete(s.all, l.id)
	s.remembered--
}

// put remembers a line without a stream.
func (s *lines) put(l *line, isUnused bool) {
	s.all[l.id] = l
	s.remembered++
	s.rest(l, isUnused)
}

// rest has a line without a stream be the next to be forgotten if nothing was handled on it
// (a peer that cannot be welcomed comes again and again), else the last.
func (s *lines) rest(l *line, isUnused bool) {
	if isUnused {
		l.place = s.silent.PushFront(l)
		return
	}
	l.place = s.silent.PushBack(l)
}

// leave ends a stream's part in a line.
func (s *lines) leave(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.streams--; l.streams > 0 {
		return
	}
	switch {
	case l.once:
		s.rest(l, l.isUnused())
	default:
		delete(s.all, l.id)
	}
}
