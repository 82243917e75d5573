package actor

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

// A lane is a bounded queue that its receiver takes as a whole: producers append to
// one slice under a turn, and the receiver gives an empty one for it.
type lane[M any] struct {
	turn    turn.Turn // guards what follows; its index is how many messages were put
	waiting []M
	limit   int // how many may wait; 0 once the lane is closed
	closed  bool
	watched int   // by so many
	past    tally // but how many came, which the turn knows

	_        [128]byte // what follows changes with every run, not with every message
	capacity int
	full     WhenFull
	gone     atomic.Uint64 // how many of those that were put do not wait any more
	left     atomic.Int64  // how many of those that were taken were not handed over
	ended    atomic.Bool   // closed, for those who wait for room
	looking  atomic.Int64  // how many look for room before they are parked
	room     room
	bell     *bell // of the receiver
}

func (l *lane[M]) open(options Options[M], receiver *bell) {
	l.bell = receiver
	l.capacity, l.limit, l.full = options.Capacity, options.Capacity, options.WhenFull
}

// Put implements [Producer].
func (l *lane[M]) Put(ctx context.Context, message M) error {
	index, mine := l.turn.Try() // which is inlined
	if !mine {
		index = l.turn.Take()
	}
	if len(l.waiting) < l.limit {
		l.waiting = append(l.waiting, message)
		l.stamp(1)
		l.turn.Give(index + 1)
	} else if err := l.putFull(ctx, index, message); err != nil {
		return putError(message, err)
	}
	l.bell.ring()
	return nil
}

// putFull has the turn, and gives it. It puts a message that finds no room.
func (l *lane[M]) putFull(ctx context.Context, index uint64, message M) error {
	for {
		switch {
		case l.closed:
			l.turn.Give(index)
			return ErrClosed
		case len(l.waiting) < l.limit:
			l.waiting = append(l.waiting, message)
			l.stamp(1)
			l.turn.Give(index + 1)
			return nil
		case l.full == Fail:
			l.turn.Give(index)
			return ErrFull
		case l.full == DropNewest:
			l.past.dropped++
			l.turn.Give(index)
			refuse(message, ErrFull)
			return nil
		case l.full == DropOldest:
			oldest := l.dropOldest()
			l.waiting = append(l.waiting, message)
			l.stamp(1)
			l.turn.Give(index + 1)
			l.bell.ring() // first: refuse may take its time, or not return
			refuse(oldest, ErrFull)
			return nil
		}
		l.turn.Give(index)
		if err := l.awaitRoom(ctx); err != nil {
			return err
		}
		index = l.turn.Take()
	}
}

// dropOldest makes room. The turn is held.
func (l *lane[M]) dropOldest() M {
	var none M
	oldest := l.waiting[0]
	l.waiting[0] = none // the lane does not keep alive what it has dropped
	l.waiting = l.waiting[1:]
	l.past.dropped++
	l.past.shed.n++
	if l.watched > 0 {
		l.past.shed.at += moment()
	}
	l.gone.Add(1)
	return oldest
}

// stamp notes when so many came, if anybody watches. The turn is held.
func (l *lane[M]) stamp(n int) {
	if l.watched > 0 {
		l.past.came.at += int64(n) * moment()
	}
}

const (
	// roomPatience is how often a producer lets others run before it is parked.
	roomPatience = 20
	// crowd is how many do so at a time. Among thousands it takes longer than to be woken.
	crowd = 64
)

// awaitRoom returns when there may be room or the lane is closed.
func (l *lane[M]) awaitRoom(ctx context.Context) error {
	if l.seesRoom() {
		return nil
	}
	return l.room.await(ctx, l.mayPut)
}

// seesRoom lets others run for a little, until there may be room.
func (l *lane[M]) seesRoom() bool {
	defer l.looking.Add(-1)
	if l.looking.Add(1) > crowd {
		return false
	}
	for range roomPatience {
		runtime.Gosched()
		if l.mayPut() {
			return true
		}
	}
	return false
}

func (l *lane[M]) mayPut() bool { return l.ended.Load() || l.waits() < l.capacity }

// PutAll implements [Producer]. It puts as many at once as there is room for.
func (l *lane[M]) PutAll(ctx context.Context, messages []M) (n int, err error) {
	for n < len(messages) {
		index := l.turn.Take()
		some := min(len(messages)-n, l.limit-len(l.waiting))
		if some > 0 {
			l.waiting = append(l.waiting, messages[n:n+some]...)
			l.stamp(some)
			l.turn.Give(index + uint64(some))
		} else if err := l.putFull(ctx, index, messages[n]); err != nil {
			return n, putError(messages[n], err)
		}
		n += max(some, 1)
		l.bell.ring()
	}
	return n, nil
}

// waits is how many messages wait, or more where some go while it looks.
func (l *lane[M]) waits() int {
	gone := l.gone.Load() // first: what is put and taken between makes it more, never less than none
	return int(l.turn.Next() - gone)
}

// len is how many messages were put and not handed over.
func (l *lane[M]) len() int {
	index := l.turn.Take()
	defer l.turn.Give(index)
	return len(l.waiting) + int(l.left.Load())
}

// take returns all that waits and leaves an emptied slice for what comes.
func (l *lane[M]) take(emptied []M) []M {
	index := l.turn.Take()
	taken := l.waiting
	l.waiting = emptied
	l.gone.Store(index)
	l.left.Store(int64(len(taken))) // under the turn, so that none is missing at any moment
	l.turn.Give(index)
	l.room.admit(l.capacity)
	return taken
}

// close reports whether the lane was open.
func (l *lane[M]) close() bool {
	index := l.turn.Take()
	open := !l.closed
	l.closed, l.limit = true, 0
	l.ended.Store(true)
	l.turn.Give(index)
	l.room.admitAll()
	return open
}

// tally implements [tallied].
func (l *lane[M]) tally() tally {
	index := l.turn.Take()
	defer l.turn.Give(index)
	t := l.past
	t.came.n = int64(index)
	t.handed = t.in() - int64(len(l.waiting)) - l.left.Load()
	return t
}

// watch implements [watchable].
func (l *lane[M]) watch(watchers int) {
	index := l.turn.Take()
	defer l.turn.Give(index)
	l.watched += watchers
}

// first looks at the message that has waited longest.
func (l *lane[M]) first() (message M, there bool) {
	index := l.turn.Take()
	defer l.turn.Give(index)
	if len(l.waiting) > 0 {
		message = l.waiting[0]
	}
	return message, len(l.waiting) > 0
}
