package commitlog

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A flusher brings what was appended to the file, and to the disk.
type flusher struct {
	*core
	gather gather // of who flushes
	ticker helper // flushes at intervals
}

func (f *flusher) flushAll() error { return f.flush(f.turn.Next()) }

// flush returns once the entries below next are safe. Whoever comes first
// flushes for all that were appended by then; the others find it done. Of the
// entries some may have been truncated since next was read.
func (f *flusher) flush(next uint64) error {
	f.roster.take(flushing)
	defer f.roster.give(flushing)
	if f.safe.Load() >= min(next, f.turn.Next()) {
		return nil
	}
	return f.flushNow()
}

// flushNow flushes what was appended so far. The duty of flushing is the caller's.
func (f *flusher) flushNow() error {
	start := time.Now()
	f.roster.take(writing)
	w, err := f.handOver()
	f.roster.give(writing)
	if err != nil {
		return err
	}
	err = f.makeSafe(w)
	f.roster.take(writing) // who undoes a write flushes the file, too, and may be the one who is told that it failed
	if failed := f.failed.Load(); failed != nil && err == nil {
		err = *failed
	}
	f.roster.give(writing)
	return f.finishFlush(w, err, start)
}

// flushAlone is flushAll while everybody else is excluded.
func (f *flusher) flushAlone() error {
	if f.safe.Load() >= f.turn.Next() {
		return nil
	}
	start := time.Now()
	w, err := f.handOver()
	if err != nil {
		return err
	}
	return f.finishFlush(w, f.makeSafe(w), start)
}

// A work is what a flush has to do.
type work struct {
	next     uint64     // the entries below will be safe
	segment  *segment   // the last one
	end      int64      // behind its last record
	memory   []byte     // its bytes
	from, to int64      // those that are not in its file yet
	unsafe   []*segment // with entries that are not safe
	batch    *batch
}

func (f *flusher) takeWork() work {
	next := f.turn.Take()
	defer f.turn.Give(next)
	t := &f.tail
	w := work{next: next, segment: t.segment, end: t.end, batch: t.batch, unsafe: f.unsafe()}
	t.batch = nil
	if !f.mapped.Load() && t.segment != nil {
		w.memory, w.from, w.to = t.memory[:min(t.segment.size.Load(), int64(len(t.memory)))], t.written, t.end
	}
	return w
}

// handOver writes to the file what is only in memory, for those who wait for that. The
// duty of writing is the caller's, or everybody else is excluded.
func (f *flusher) handOver() (work, error) {
	w := f.takeWork()
	var err error
	if failed := f.failed.Load(); failed != nil {
		err = *failed
	} else if w.from < w.to {
		taken, failure := w.segment.output.write(w.memory, w.from, w.to)
		if failure != nil {
			err = f.notWritten(w, taken, failure)
		}
	}
	if err != nil {
		w.batch.end(err)
		return w, err
	}
	next := f.turn.Take()
	if f.tail.segment == w.segment { // there may be another by now, if nothing was to be written
		f.tail.written, f.tail.next = w.to, w.next
	}
	f.turn.Give(next)
	if !f.durable() {
		raise(&f.shown, w.next)
		w.batch.end(nil)
		w.batch = nil
	}
	return w, nil
}

// notWritten deals with a write that failed. What it may have left is removed: a part
// of it could one day stand behind a record that took its place. All appends that wait
// fail with it, and the log goes on, unless nobody knows what the disk has.
func (f *flusher) notWritten(w work, taken int, cause error) error {
	if ifNotFull(cause) != nil {
		return f.fail(cause)
	}
	if err := w.segment.output.undo(w.from, w.from+int64(taken)); err != nil {
		return f.fail(fmt.Errorf("%w; and undoing it: %w", cause, err))
	}
	f.turn.Take()
	waiting, next := f.tail.takeBack(), f.tail.next
	f.turn.Give(next)
	waiting.end(cause)
	return cause
}

// finishFlush notes that what was handed over is safe, or why it is not.
func (f *flusher) finishFlush(w work, err error, start time.Time) error {
	if ifNotFull(err) != nil {
		err = f.fail(err)
	}
	took := time.Since(start)
	before := f.safe.Load()
	next := f.turn.Take()
	f.metrics.flushTime.Record(took.Nanoseconds())
	if err == nil {
		raise(&f.safe, w.next)
		if f.durable() {
			raise(&f.shown, w.next)
		}
		f.metrics.batchSize.Record(int64(w.next - min(before, w.next)))
	}
	f.turn.Give(next)
	f.gather.took, f.gather.expected = took, next-min(before, next)
	w.batch.end(err)
	return err
}

func (f *flusher) makeSafe(w work) error {
	for _, s := range w.unsafe {
		if s.output.safe() {
			continue
		}
		end := w.end
		if s != w.segment {
			end = s.end
		}
		if err := s.secure(end); err != nil {
			return err
		}
	}
	return nil
}

// raise makes a counter at least n.
func raise(counter *atomic.Uint64, n uint64) {
	for {
		old := counter.Load()
		if old >= n || counter.CompareAndSwap(old, n) {
			return
		}
	}
}
