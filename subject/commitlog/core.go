package commitlog

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

// A core is the state of a log, of which the parts of a File each change some.
type core struct {
	dir     disk.Dir
	options FileOptions
	mapped  atomic.Bool // entries are stored in the mapped file of the last segment, not in memory of the process

	turn    turn.Turn // held while entries are put into order: guards tail, metrics, and who may change view
	tail    tail
	metrics struct{ flushTime, batchSize hist.Histogram } // noted once a flush: an append costs it nothing
	news    turn.News                                     // wakes readers that wait for an entry
	failed  atomic.Pointer[error]                         // once set, no append may succeed
	view    atomic.Pointer[view]
	shown   atomic.Uint64 // unless mapped: the entries below are as safe as they are to be
	safe    atomic.Uint64 // the entries below survive a power cut
	rest    atomic.Bool   // opening is to be finished before the next append; changes while all are excluded
	number  uint64        // of the file that comes next; of who prepares
	roster  roster        // of duties: what is done to files
	letGo   int           // how often to ask the collector for the space of segments that were dropped; of who prepares

	// Of who finishes opening:
	ending  bool       // the manifest has to say where the log ends
	dropped []*segment // what is behind that
	again   *segment   // entries are added to it again; nil to none
}

// A view is the log's shape as readers see it. It never changes.
type view struct {
	manifest manifest
	segments []*segment // in order; entries are added to the last one only
	cuts     []uint64   // where each TruncateSuffix cut, for readers
	closed   bool
}

// durable reports whether appends wait until the disk has them.
func (c *core) durable() bool { return c.options.Durability == Always }

// usable returns the error that any change of the log must return.
func (c *core) usable() error {
	if c.view.Load().closed {
		return ErrClosed
	}
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// orStop ends the log if err says that the disk cannot be trusted any more.
func (c *core) orStop(err error) error {
	if isFlushError(err) {
		return c.fail(err)
	}
	return err
}

// fail makes cause, or the first one there was, the answer to every append.
func (c *core) fail(cause error) error {
	stopped := fmt.Errorf("log has stopped: %w", cause)
	c.failed.CompareAndSwap(nil, &stopped)
	return *c.failed.Load()
}

// follow makes s the segment that entries are added to; nothing waits to be written
// to the one before. The turn is held.
func (c *core) follow(s *segment) {
	t := &c.tail
	if t.segment != nil {
		t.segment.end = t.end
	}
	t.segment, t.memory = s, s.memory.Bytes()
	t.end, t.written, t.next = s.end, s.end, s.next()
	if s.end == recordsStart { // the header goes with the first entries
		copy(t.memory, s.header.block())
		t.written = 0
	}
	c.open()
}

// open lets entries in as far as the last segment was made ready. The turn is held.
func (c *core) open() {
	t := &c.tail
	t.limit = min(t.segment.size.Load(), int64(len(t.memory)))
	t.wake = unlimitedSize
	for _, at := range []int64{t.limit - min(ahead, t.limit-t.end)/2, c.options.SegmentSize / 2} {
		if at > t.end {
			t.wake = min(t.wake, at)
		}
	}
}

// halt lets no append in until resume.
func (c *core) halt() error {
	next := c.turn.Take()
	defer c.turn.Give(next)
	c.tail.limit = 0
	return c.usable()
}

// resume lets appends in again, if they may come.
func (c *core) resume() {
	next := c.turn.Take()
	defer c.turn.Give(next)
	if c.tail.segment != nil && c.usable() == nil {
		c.open()
	}
}

// show shows readers another view, in which the entries end before next.
func (c *core) show(next uint64, change func(v *view)) {
	c.turn.Take()
	c.turn.Show(next) // first, so that no reader looks for an entry where it is not
	c.reshape(change)
	c.turn.Give(next)
}

// reshape shows readers another view. The turn is held.
func (c *core) reshape(change func(v *view)) {
	v := *c.view.Load()
	change(&v)
	c.view.Store(&v)
}

// unsafe returns the segments with entries that no flush has made safe. The turn is
// held.
func (c *core) unsafe() []*segment {
	segments, n := c.view.Load().segments, 0
	for safe := c.safe.Load(); n < len(segments) && segments[len(segments)-1-n].next() > safe; {
		n++
	}
	return segments[len(segments)-n:]
}

// replace takes the turn, puts a segment in the place of what it was before,
// and returns the index of the next entry.
func (c *core) replace(before, now *segment) (next uint64) {
	next = c.turn.Take()
	c.reshape(func(v *view) {
		v.segments = slices.Clone(v.segments)
		if i := slices.Index(v.segments, before); i >= 0 {
			v.segments[i] = now
		}
	})
	if t := &c.tail; t.segment == before {
		t.segment, t.memory, t.limit = nil, nil, 0
	}
	return next
}
