package commitlog

import (
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

// An intake is where entries come into a File: all that an append needs while
// there is room. It is apart from the rest because an Async before a File whose
// appends wait for no flush is this part of it and nothing else: the same memory,
// so that its appends do what the File's do, instruction for instruction. A pointer
// from the one to the other would be waited for in each append, since nothing is
// read ahead of the turn's locked instruction (BenchmarkAsync).
type intake struct {
	turn   turn.Turn // held while entries are put into order; guards tail
	tail   tail
	failed atomic.Pointer[error] // once set, no append may succeed
	news   turn.News             // wakes readers that wait for an entry

	straight bool  // appends wait for no flush, and may go the short way
	whole    front // the log, for what is not the short way
}

// store is the short way of an append: into mapped memory, where room has been
// made already. It reports false if the long one has to be gone.
func (in *intake) store(value []byte) (index uint64, ok bool) {
	size := recordSize(len(value))
	index = in.turn.Take()
	t := &in.tail
	if t.memory == nil || t.end+size > t.limit || len(value) > MaxValueSize || in.failed.Load() != nil {
		in.turn.Give(index)
		return 0, false
	}
	putRecord(t.memory[t.end:t.end+size], t.segment.seed, entryKind, false, index, value)
	t.segment.offsets.add(uint32(t.end))
	t.end += size
	in.turn.Give(index + 1)
	in.news.Tell()
	return index, true
}
