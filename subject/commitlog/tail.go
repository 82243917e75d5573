package commitlog

import "math"

// unlimitedSize is behind the end of every segment.
const unlimitedSize = math.MaxInt64

// A tail is the end of the log: memory in which entries are put one behind the other.
// It is the mapped file of the last segment where it can be, or else memory of the
// process, from where it is written to the file.
type tail struct {
	segment *segment // nil if there is none
	memory  []byte   // the segment's bytes, with room for more
	end     int64    // behind the last record
	limit   int64    // up to here no room has to be made; 0 while nothing may be added
	wake    int64    // behind here somebody should go ahead of the appends
	flagged uint64   // the newest entry that says how far the log was safe, or one behind it

	// Where memory is not the file:
	batch   *batch // the appends that wait for what comes next; nil if none does
	written int64  // up to here the file has what memory has
	next    uint64 // the index behind that
}

// fits reports whether there is room for size bytes.
func (t *tail) fits(size int64) bool { return t.segment != nil && t.end+size <= t.limit }

// add puts the records of a batch behind the last one. The first says that all before it is
// safe, or all before the newest that said so, once that is so.
func (t *tail) add(first uint64, values [][]byte, safe uint64) {
	for i, value := range values {
		h := headFor(len(value))
		if i < len(values)-1 {
			h |= moreBit
		}
		if i == 0 && t.flagged <= safe {
			h |= flushBit
			if t.flagged = first; first <= safe {
				h |= safeBit
			}
		}
		end := t.end + h.record()
		putRecord(t.memory[t.end:end], t.segment.seed, first+uint64(i), h, value)
		t.segment.offsets.add(uint32(t.end))
		t.end = end
	}
}

// takeBack drops what the file could not be given.
func (t *tail) takeBack() (waiting *batch) {
	t.segment.offsets.cut(t.next - t.segment.base)
	t.end, t.flagged = max(t.written, recordsStart), min(t.flagged, t.next)
	waiting, t.batch = t.batch, nil
	return waiting
}
