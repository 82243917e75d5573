package commitlog

// A tail is the end of the log: memory in which entries are put one behind the other.
// It is the mapped file of the last segment where it can be, or else memory of the
// process, from where it is written to the file.
type tail struct {
	segment *segment // nil if there is none
	memory  []byte   // the segment's bytes, with room for more
	end     int64    // behind the last record
	limit   int64    // up to here no room has to be made; 0 while nothing may be added
	wake    int64    // behind here somebody should go ahead of the appends
	unnamed bool     // a segment got its name since the names were flushed
	marked  uint64   // what the newest mark says, or sealing proved
	sealed  uint64   // the entries below are in sealed segments

	// Where memory is not the file:
	batch   *batch // the appends that wait for what comes next; nil if none does
	written int64  // up to here the file has what memory has
	next    uint64 // the index behind that
}

// fits reports whether there is room for size bytes.
func (t *tail) fits(size int64) bool { return t.segment != nil && t.end+size <= t.limit }

// add puts the records of a batch behind the last one.
func (t *tail) add(first uint64, values [][]byte) {
	for i, value := range values {
		end := t.end + recordSize(len(value))
		putRecord(t.memory[t.end:end], t.segment.seed, entryKind, i < len(values)-1, first+uint64(i), value)
		t.segment.offsets.add(uint32(t.end))
		t.end = end
	}
}

// mark notes in the log how much of it is safe, if there is room.
func (t *tail) mark(next, safe uint64) {
	if safe <= t.marked || !t.fits(markSize) {
		return
	}
	putMark(t.memory[t.end:t.end+markSize], t.segment.seed, next, pledge{safe, t.sealed})
	t.end += markSize
	t.marked = safe
}

// takeBack drops what the file could not be given.
func (t *tail) takeBack() (waiting *batch) {
	t.segment.offsets.cut(t.next - t.segment.base)
	t.end, t.marked = t.written, 0
	waiting, t.batch = t.batch, nil
	return waiting
}
