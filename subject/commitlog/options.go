package commitlog

import (
	"cmp"
	"fmt"
	"io/fs"
	"time"
)

// Durability says when a File flushes what was appended to the disk, and so
// what an acknowledged append survives.
type Durability int

const (
	// None leaves it to the operating system, and to calls of Sync: an
	// acknowledged append survives the death of the process, and no power cut.
	// Full segments are flushed nevertheless, beside the appends, and so is the log by
	// Close.
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
	if d >= None && d <= Always {
		return [...]string{"none", "interval", "always"}[d]
	}
	return fmt.Sprintf("Durability(%d)", int(d))
}

// MaxSegmentSize is the most bytes that may be asked of a segment: 1 GiB.
const MaxSegmentSize = 1 << 30

const (
	defaultSegmentSize = 128 << 20
	defaultInterval    = 100 * time.Millisecond
	minSegmentSize     = 4 * blockSize
)

// FileOptions are the settings of a File; the zero value is useful.
type FileOptions struct {
	// Durability is when appends are flushed to the disk.
	Durability Durability
	// Interval is the time between two flushes with Durability Interval; 0
	// means 100 ms.
	Interval time.Duration
	// SegmentSize is how many bytes of records a segment may have, and its header: 256 at least; 0 means 128 MiB.
	// A table of entries and a trailer come behind them. Where entries are written past the
	// system's cache it is rounded up to whole blocks of 4 KiB. A batch that needs more than
	// that gets a larger segment.
	// A log may be opened with another size than before.
	SegmentSize int64

	// FileMode is who may do what to files that the log makes, before the umask; 0 means
	// what holds for those that are there, or else 0644. Who may read files may search the
	// directory, if that is made.
	FileMode fs.FileMode

	// What a test sets; complete chooses it else:
	newID   func() uint64 // draws the log's
	alone   bool          // nothing is done beside the appends: the test does it
	backlog int           // how many full segments may wait to be sealed
	written bool          // entries are written to files even where these can be mapped
	cached  bool          // through the system's cache even where a durable log can do without it
	kept    int64         // how many bytes that were written to the last segment stay in memory of the process
}

// defaultBacklog bounds what an opening after a crash has to read: 3 GiB, about a second. A burst of
// that size need not wait for the disk.
const defaultBacklog = 24

// defaultKept bounds the memory of a log that is not mapped.
const defaultKept = 8 << 20

// complete fills in what was left zero.
func (o *FileOptions) complete() error {
	o.SegmentSize = cmp.Or(o.SegmentSize, defaultSegmentSize)
	o.Interval = cmp.Or(o.Interval, defaultInterval)
	o.backlog = cmp.Or(o.backlog, defaultBacklog)
	o.kept = cmp.Or(o.kept, defaultKept)
	if o.newID == nil {
		o.newID = newID
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
