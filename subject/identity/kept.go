package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// ErrTooFar is what a raise meets that goes further than [FurthestRaise].
var ErrTooFar = errors.New("too far ahead")

// ErrNothingKept is that of a directory with a log that does not say what was handed out: what
// said so is gone.
var ErrNothingKept = errors.New("the directory does not say what was handed out")

// FurthestRaise is by how much one Update of a [Kept] server can raise at most: one that
// is damaged must not exhaust those that it tells. A million identities a second take nine
// years to get as far.
const FurthestRaise = 1 << 48

// KeptOptions are the settings of a server that is kept in a directory.
type KeptOptions[R any] struct {
	Options[R]
	// Replica is which of several servers it is; the zero value is the only one. A directory
	// stays that of the replica it was made for.
	Replica Replica
	// Block is how many identities are reserved by one flush of the disk, and skipped by a
	// crash at most; 0 means 65,536.
	Block uint64
}

const (
	defaultBlock  = 1 << 16
	marksRetained = 1 << 10 // and then older ones go
)

// Kept is a server whose identities are unique for ever: before one is handed out, a log
// in a directory says, beyond a power cut, that it will be. What a crash takes is at most
// the rest of a block, which nobody gets. Order total, result linearizable, survives
// power-cut, where the log does (package commitlog).
type Kept[R any] struct {
	reply    func(first, n uint64) R
	block    uint64
	replica  Replica
	instance Instance
	past     []Session // the session of this opening is the last one
	began    uint64    // Last at opening

	mu       sync.Mutex // guards what follows, and is held while a block is reserved
	counted  uint64     // of the replica's identities, how many were handed out or skipped; above reserved where the disk did not take a raise
	reserved uint64     // and how many may be without a flush
	heard    uint64     // the highest that it was raised to, of whichever replica: above the last counted one, and below the next
	handed   uint64     // since opening
	log      *commitlog.File
	isClosed bool
}

// Next implements [Server].
func (k *Kept[R]) Next(ctx context.Context) (R, error) { return k.NextN(ctx, 1) }

// NextN implements [Server]. Identities of a replica follow each other by as many as there
// are replicas. Where none can be reserved, as on a full disk, it returns the error of that
// and hands out none; it can be called again.
func (k *Kept[R]) NextN(_ context.Context, n uint64) (reply R, err error) {
	first, err := k.count(n)
	if err != nil {
		return reply, err
	}
	return k.reply(first, n), nil
}

func (k *Kept[R]) count(n uint64) (first uint64, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	left := k.replica.upTo(Max) - k.counted
	switch {
	case k.isClosed:
		return 0, ErrClosed
	case n == 0:
		return 0, fmt.Errorf("next 0: %w", ErrCount)
	case n > left:
		return 0, fmt.Errorf("next %d of replica %v: %w", n, k.replica, ErrExhausted)
	}
	if k.counted+n > k.reserved {
		if err := k.reserve(k.counted + min(max(n, k.block), left)); err != nil {
			return 0, err
		}
	}
	k.counted += n
	k.handed += n
	return k.replica.id(k.counted - n + 1), nil
}

// Update implements [Server]: what it raises to is above what was there by
// [FurthestRaise] at most, else it returns [ErrTooFar]. Where the disk does not take it, it
// returns the error of that, and until the disk does nothing is handed out: what there is
// room for lies too low.
func (k *Kept[R]) Update(_ context.Context, id uint64) error {
	if err := inRange(id); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	counted := k.replica.upTo(id)
	switch {
	case k.isClosed:
		return ErrClosed
	case counted <= min(k.counted, k.reserved):
		k.heard = max(k.heard, id)
		return nil
	case id-min(id, k.last()) > FurthestRaise:
		return fmt.Errorf("update %d: %w: more than %d above %d", id, ErrTooFar, uint64(FurthestRaise), k.last())
	}
	k.counted = max(k.counted, counted)
	if k.counted > k.reserved {
		if err := k.reserve(k.counted); err != nil {
			return err
		}
	}
	k.heard = max(k.heard, id)
	return nil
}

// reserve has the disk say that so many of the replica's identities may be handed out.
func (k *Kept[R]) reserve(counted uint64) error {
	if err := (mark{k.replica, k.instance, k.past, counted}).write(k.log); err != nil {
		return fmt.Errorf("reserve identities: %w", err)
	}
	k.reserved = counted
	if next := k.log.Next(); next-k.log.First() > marksRetained {
		k.log.TruncatePrefix(next - 2) // as on a full disk it can fail: it is tried again
	}
	return nil
}

// Last is the highest identity that was handed out, or raised to, as far as the disk has it;
// 0 if there is none. What was raised to may be another replica's: whoever is told of it must
// not go on below. The disk does not say which one that was, so a later opening has the highest
// that it can have been, the one before the replica's next.
func (k *Kept[R]) Last() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last()
}

func (k *Kept[R]) last() uint64 {
	return max(k.heard, k.idOf(min(k.counted, k.reserved)))
}

// idOf is the n-th identity of the replica; 0 for none.
func (k *Kept[R]) idOf(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	return k.replica.id(n)
}

// Reserved is the highest identity that may be handed out without a flush.
func (k *Kept[R]) Reserved() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.idOf(k.reserved)
}

// Replica is which one the server is.
func (k *Kept[R]) Replica() Replica { return k.replica }

// Instance is that of the directory.
func (k *Kept[R]) Instance() Instance { return k.instance }

// Session is that of this opening.
func (k *Kept[R]) Session() Session { return k.past[len(k.past)-1] }

// Past are the sessions of the directory's last openings, [MostPast] at most, this one last:
// of two that have had it one after the other, the later one's has the earlier one.
func (k *Kept[R]) Past() []Session { return slices.Clone(k.past) }

// Began is what Last was at opening: what was handed out before is not above it, unless the
// directory has gone back.
func (k *Kept[R]) Began() uint64 { return k.began }

// Handed is how many identities were handed out since this opening.
func (k *Kept[R]) Handed() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.handed
}

// Close closes the log. Calls that come later return [ErrClosed]. It keeps exactly what was
// handed out, so that nothing is skipped.
func (k *Kept[R]) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isClosed {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	k.isClosed = true
	return errors.Join(k.reserve(k.counted), k.log.Close())
}
