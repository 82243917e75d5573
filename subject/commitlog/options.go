package commitlog

import (
	"fmt"
	"time"
)

// Durability says when a File flushes what was appended to the disk, and so
// what an acknowledged append survives.
type Durability int

const (
	// None leaves it to the operating system, and to calls of Sync: an
	// acknowledged append survives the death of the process, and no power cut.
	// Of more than eight full segments the oldest are flushed nevertheless, and
	// so is the log by Close.
	None Durability = iota
	// Interval flushes at regular intervals: a power cut may take what was
	// appended since the last flush.
	Interval
	// Always makes every append wait until the disk has it: an acknowledged
	// append survives a power cut. Appends that wait at the same time share a
	// flush.
	Always
)

func (d Durability) String() string {
	switch d {
	case None:
		return "none"
	case Interval:
		return "interval"
	case Always:
		return "always"
	}
	return fmt.Sprintf("Durability(%d)", int(d))
}

// MaxSegmentSize is the most bytes that may be asked of a segment: 1 GiB.
const MaxSegmentSize = 1 << 30

const (
	defaultSegmentSize = 64 << 20
	defaultInterval    = 100 * time.Millisecond
	minSegmentSize     = 2 * recordsStart
)

// FileOptions are the settings of a File; the zero value is useful.
type FileOptions struct {
	// Durability is when appends are flushed to the disk.
	Durability Durability
	// Interval is the time between two flushes with Durability Interval; 0
	// means 100 ms.
	Interval time.Duration
	// SegmentSize is how large a segment may grow, in bytes; 0 means 64 MiB.
	// With Durability Always the first ones stay smaller, and double, where the
	// file system does not let the log write past the system's cache.
	// A batch that needs more than that gets a larger segment of its own.
	// A log may be opened with another size than before.
	SegmentSize int64

	// What a test sets:
	salt    func() uint64 // draws ids and salts
	alone   bool          // nothing is done beside the appends, but by calls of keep
	backlog int           // how many full segments may wait to be sealed
	written bool          // entries are written to files even where these can be mapped, as opening has it where space is not kept
	cached  bool          // a durable log's too, where they can be written directly

	smallPages bool // of the memory they are written directly from
}

// defaultBacklog bounds what an opening after a crash has to read. A log that
// leaves flushing to the system keeps half as many segments unsealed.
const defaultBacklog = 16

// complete fills in what was left zero.
func (o *FileOptions) complete() error {
	if o.SegmentSize == 0 {
		o.SegmentSize = defaultSegmentSize
	}
	if o.Interval == 0 {
		o.Interval = defaultInterval
	}
	if o.salt == nil {
		o.salt = newSalt
	}
	if o.backlog == 0 {
		o.backlog = defaultBacklog
	}
	switch {
	case o.Durability < None || o.Durability > Always:
		return fmt.Errorf("durability %d: not one of none, interval, always", int(o.Durability))
	case o.Interval < 0:
		return fmt.Errorf("interval %v: below zero", o.Interval)
	case o.SegmentSize < minSegmentSize || o.SegmentSize > MaxSegmentSize:
		return fmt.Errorf("segment size %d: not from %d to %d", o.SegmentSize, minSegmentSize, MaxSegmentSize)
	}
	return nil
}

// preparation is how many bytes of a segment are made ready at once: 2 MiB of a
// segment of the usual size.
func (o *FileOptions) preparation() int64 { return min(o.SegmentSize, max(o.SegmentSize/32, 4096)) }

// firstSpare is how much of a durable log's second segment is made ready.
func (o *FileOptions) firstSpare() int64 { return min(2*o.preparation(), o.SegmentSize) }

// further is up to where a segment is made ready next.
func (o *FileOptions) further(s *segment) int64 {
	size, step := s.size.Load(), o.preparation()
	if s.direct != nil { // space costs next to nothing before it is used
		step = max(step, size)
	}
	return min(size-size%step+step, o.SegmentSize)
}
