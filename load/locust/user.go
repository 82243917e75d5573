package locust

import (
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// A User is what one goroutine does again and again.
type User struct {
	Request harness.Request
	// Operation stands in place of Request where there is one kind, and nothing is
	// known of it but an error. So many of a fast one are timed together that reading the clock is no
	// matter: each of them then counts as long as their mean.
	Operation harness.Operation
	// Begin, if set, comes before the first one, and is in no operation's time.
	Begin func()
	// Pause, if set, is how long the user rests before the next one.
	Pause func() time.Duration
}

// held is how many samples a user keeps to itself.
const held = 128

// A busy user is one with what it did.
type busy struct {
	User
	began time.Time     // of the run
	lasts time.Duration // the run; 0: not known
	into  *tally

	mu      sync.Mutex
	samples []sample
}

func newBusy(u User, began time.Time, lasts time.Duration, into *tally) *busy {
	return &busy{User: u, began: began, lasts: lasts, into: into, samples: make([]sample, 0, held+2)}
}

// work does what the user does while it is wanted; rest is false if it no longer is. It
// returns the user's cycles.
func (b *busy) work(wanted func() bool, rest func(time.Duration) bool) (seen harness.Cycles) {
	if b.Begin != nil {
		b.Begin()
		b.Begin = nil
	}
	size := 1
	seen.Window = int64(b.lasts)
	for last := b.now(); wanted(); {
		s, err := b.several(size)
		s.at = b.now()
		took := s.at - last
		s.ns = int64(took) / int64(s.n)
		b.add(s, int(int64(took)%int64(s.n)), err)
		last = s.at
		answered, pause := s.n, time.Duration(0)
		if err != nil || s.failure != "" {
			answered--
		}
		if b.Pause != nil {
			pause = b.Pause()
		}
		seen.AddSome(int64(s.at), int64(took), s.n, answered, pause)
		if b.Pause == nil {
			size = nextSize(size, took)
			continue
		}
		if !rest(pause) {
			break
		}
		last = b.now()
	}
	return seen
}

func (b *busy) now() time.Duration { return time.Since(b.began) }

// several does a request, or so many operations, or as many until one fails.
func (b *busy) several(size int) (s sample, err error) {
	if b.Request != nil {
		a := b.Request()
		return sample{n: 1, kind: a.Kind, bytes: a.Bytes, failure: a.Failure}, nil
	}
	for s.n < size && err == nil {
		err = b.Operation()
		s.n++
	}
	return s, err
}

const (
	shortBatch = 5 * time.Microsecond
	longBatch  = 50 * time.Microsecond
	mostBatch  = 4096
)

// nextSize is how many operations are timed together, after so many took so long: one, where
// one takes about a microsecond or more.
func nextSize(size int, took time.Duration) int {
	switch each := took / time.Duration(size); {
	case size == 1 && each >= time.Microsecond:
		return 1
	case size > 1 && took > longBatch:
		return max(1, min(size/2, int(shortBatch/max(each, 1))))
	case took < shortBatch:
		return min(2*size, mostBatch)
	}
	return size
}

// add keeps a sample, of whose operations so many took a nanosecond more, or all would be told
// shorter than they are; with an error, the last of them has failed.
func (b *busy) add(s sample, longer int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		failed := s
		failed.n, failed.failure = 1, err.Error()
		b.samples = append(b.samples, failed)
		s.n--
	}
	more := s
	more.n, more.ns = min(longer, s.n), s.ns+1
	s.n -= more.n
	for _, some := range []sample{s, more} {
		if some.n > 0 {
			b.samples = append(b.samples, some)
		}
	}
	if len(b.samples) >= held {
		b.flushLocked()
	}
}

// flush gives the tally what the user has kept to itself.
func (b *busy) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flushLocked()
}

func (b *busy) flushLocked() {
	b.into.add(b.samples)
	b.samples = b.samples[:0]
}
