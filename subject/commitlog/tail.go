package commitlog

import (
	"fmt"
	"slices"
)

// keptBuffer is the most memory that is kept from one append to the next.
const keptBuffer = 1 << 20

// A tail is the end of the log, where entries are added.
type tail struct {
	segment *segment // nil if there is none
	memory  []byte   // the segment's bytes, if entries are stored there
	end     int64    // behind the last record, those included that wait to be written
	limit   int64    // up to here, no room has to be made
	marked  uint64   // what the newest mark says, or sealing proved
	sealed  uint64   // the entries below are in sealed segments

	dirty  []*segment // those that were written to and not flushed since, in order
	names  int        // how many segments got their names
	batch  *batch     // the appends that wait for a flush; nil if none does
	pieces []piece    // the records that wait to be written
	idle   []byte     // a buffer for the next piece
	ring   *ring      // the newest records, if they are written directly
	asked  bool       // whether the keeper was asked for the next segment
}

// A piece is a run of records and where in its file it belongs. That of a segment
// that is written directly begins with a block, and lies in a chunk.
type piece struct {
	segment *segment
	at      int64
	bytes   []byte
	chunk   *chunk
}

// fits reports whether there is room for size bytes of records and a mark.
func (t *tail) fits(size int64) bool { return t.segment != nil && t.end+size+markSize <= t.limit }

// follow makes s the segment that entries are added to.
func (f *File) follow(s *segment) {
	t := &f.tail
	if t.segment != nil {
		t.segment.end = t.end
	}
	t.segment, t.end, t.memory, t.asked = s, s.end, nil, false
	if s.mem != nil && f.options.Durability != Always && !f.options.written {
		t.memory = s.mem.Bytes()
	}
	t.limit = f.limitOf(s)
	if s.direct == nil { // else what is written is safe at once
		t.dirty = append(slices.Clone(t.dirty), s)
	}
}

// limitOf is up to where entries are added before more of the segment is made
// ready: while half of what was made last is left, unless there is no more.
func (f *File) limitOf(s *segment) int64 {
	size := s.size.Load()
	if size < f.options.SegmentSize && size > f.options.preparation() {
		size -= f.options.preparation() / 2
	}
	return size
}

// put writes the records of a batch, whose size is given, behind the last one.
// The turn is held.
func (f *File) put(first uint64, values [][]byte, size int64) error {
	t := &f.tail
	entries := t.segment.offsets.len()
	if t.memory != nil {
		t.add(t.memory[t.end:t.end+size], first, values)
		return nil
	}
	f.buf = slices.Grow(f.buf[:0], int(size))[:size]
	t.add(f.buf, first, values)
	if err := f.writeBuffer(t.end - size); err != nil {
		t.end -= size
		t.segment.offsets.cut(entries)
		return err
	}
	return nil
}

// add makes b the records of values, and counts them to the segment.
func (t *tail) add(b []byte, first uint64, values [][]byte) {
	for i, value := range values {
		size := recordSize(len(value))
		putRecord(b[:size], t.segment.seed, entryKind, i < len(values)-1, first+uint64(i), value)
		t.segment.offsets.add(uint32(t.end))
		t.end += size
		b = b[size:]
	}
}

// enqueue leaves the records of values to the next flush. The one who leads a
// batch is the first in it. The turn is held.
func (f *File) enqueue(first uint64, values [][]byte) (b *batch, leads bool) {
	t := &f.tail
	if leads = t.batch == nil; leads {
		t.batch = newBatch()
		if safe := f.safe.Load(); safe > t.marked {
			putMark(t.wait(markSize), t.segment.seed, first, pledge{safe, t.sealed})
			t.end += markSize
			t.marked = safe
		}
	}
	size, _ := batchSize(values)
	t.add(t.wait(size), first, values)
	return t.batch, leads
}

// wait returns size bytes of a piece that will be written at the tail's end.
func (t *tail) wait(size int64) []byte {
	if t.segment.direct != nil {
		return t.waitDirect(size)
	}
	n := len(t.pieces)
	if n == 0 || t.pieces[n-1].segment != t.segment {
		t.pieces = append(t.pieces, piece{segment: t.segment, at: t.end, bytes: t.idle[:0]})
		t.idle = nil
		n++
	}
	p := &t.pieces[n-1]
	start := len(p.bytes)
	p.bytes = slices.Grow(p.bytes, int(size))[:start+int(size)]
	return p.bytes[start:]
}

// waitDirect is wait for a segment that is written directly. A piece in another
// chunk begins with the block that the one before ends in.
func (t *tail) waitDirect(size int64) []byte {
	d := t.segment.direct
	c := t.ring.chunkFor(d, t.end, size)
	n := len(t.pieces)
	if n == 0 || t.pieces[n-1].chunk != c {
		t.pieces = append(t.pieces, piece{segment: t.segment, at: d.down(t.end), chunk: c})
		n++
	}
	p := &t.pieces[n-1]
	from := c.from.Load()
	p.bytes = c.memory[p.at-from : t.end+size-from]
	c.end.Store(t.end + size)
	return p.bytes[int64(len(p.bytes))-size:]
}

// writeBuffer writes f.buf to the tail's file. The turn is held.
func (f *File) writeBuffer(at int64) error {
	size := int64(len(f.buf))
	taken, err := f.tail.segment.file.WriteAt(f.buf, at)
	if cap(f.buf) > keptBuffer {
		f.buf = nil
	}
	switch {
	case err == nil:
		return nil
	case taken == 0 && isFull(err): // nor would there be space for zeros where that is made anew
		return err
	}
	return f.undo(at, size, err)
}

// undo removes what a failed write of size bytes may have left behind the last
// record: a part of it could one day stand behind a record that took its place. The
// zeros are flushed, so that no power cut takes them.
func (f *File) undo(at, size int64, cause error) error {
	file := f.tail.segment.file
	err := writeZeros(file, at, at+size)
	if err == nil {
		err = flush(file)
	}
	if err != nil {
		return f.stop(fmt.Errorf("%w; and undoing it: %w", cause, err))
	}
	return cause
}

// mark notes in the log how much of it is safe, if there is room. The turn is
// held.
func (f *File) mark() {
	t := &f.tail
	safe := f.safe.Load()
	if t.segment == nil || safe <= t.marked || !t.fits(0) {
		return
	}
	if t.memory != nil {
		putMark(t.memory[t.end:t.end+markSize], t.segment.seed, f.turn.Next(), pledge{safe, t.sealed})
	} else {
		f.buf = append(f.buf[:0], newMark(t.segment.seed, f.turn.Next(), pledge{safe, t.sealed})...)
		if f.writeBuffer(t.end) != nil {
			return
		}
	}
	t.end += markSize
	t.marked = safe
}
