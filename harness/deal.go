package harness

import "sync/atomic"

// A deal hands out the operations of a trial in ever smaller pieces, down to
// single ones, so that all goroutines end together, and N of them are at work
// until the end: with equal shares those that get on worse would be left alone,
// and what is divided by their time would be no mean of N (guided
// self-scheduling, Polychronopoulos and Kuck 1987).
type deal struct {
	_          [64]byte // written by all: it shares its cache line with nobody
	left       atomic.Int64
	_          [64]byte
	done       atomic.Int64 // by pieces
	inHand     atomic.Int64 // begun, of pieces that are not done
	halfNS     atomic.Int64 // when half of all were done; 0 before
	halfOps    atomic.Int64 // and how many that were
	_          [64]byte
	goroutines int64
	ops        int64
}

// pieces is into how many times N pieces what is left is divided.
const pieces = 8

// newDeal deals out so many of the operations; of the others each goroutine has its own.
func newDeal(ops, dealt, goroutines int) *deal {
	d := &deal{goroutines: int64(goroutines), ops: int64(ops)}
	d.left.Store(int64(dealt))
	return d
}

// begin counts a piece as begun.
func (d *deal) begin(piece int) { d.inHand.Add(int64(piece)) }

// did counts a piece as done. Of the pieces that others have in hand half is done on
// average.
func (d *deal) did(piece int) {
	done, inHand := d.done.Add(int64(piece)), d.inHand.Add(-int64(piece))
	if 2*done+inHand >= d.ops && d.halfNS.Load() == 0 && d.halfNS.CompareAndSwap(0, nanotime()) {
		d.halfOps.Store(done + inHand/2)
	}
}

// half is when about half of all operations were done, and how many those were. Where a
// goroutine does few, the last round, in which not all have something to do, weighs too
// much: then nobody knows.
func (d *deal) half() (ns int64, ops int) {
	if d.ops < leastRounds*d.goroutines {
		return 0, 0
	}
	return d.halfNS.Load(), int(d.halfOps.Load())
}

// leastRounds is how many operations a goroutine does, at least, where halves are told.
const leastRounds = 32

// take returns how many operations the caller is to do next; 0 when none are
// left.
func (d *deal) take() int {
	for {
		left := d.left.Load()
		if left == 0 {
			return 0
		}
		piece := max(left/(pieces*d.goroutines), 1)
		if d.left.CompareAndSwap(left, left-piece) {
			return int(piece)
		}
	}
}
