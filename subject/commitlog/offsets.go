package commitlog

import "sync/atomic"

// offsetsPerChunk is how many offsets share an allocation.
const offsetsPerChunk = 4096

type offsetChunk [offsetsPerChunk]uint32

// Offsets are where the records of an unsealed segment start, four bytes an
// entry. One goroutine at a time adds to them. Any may read those of entries
// that it was shown, without a lock.
type offsets struct {
	n      uint64                         // for the one who adds
	start  uint32                         // where the first record starts
	next   uint32                         // where the next one starts if all have one size
	stride atomic.Uint32                  // that size; 0 if there is none
	chunks atomic.Pointer[[]*offsetChunk] // never changed but at its end
	last   *offsetChunk
}

func (o *offsets) add(offset uint32) {
	i := o.n % offsetsPerChunk
	if i == 0 {
		o.grow()
	}
	if offset != o.next {
		o.measure(offset)
	}
	o.next += o.stride.Load()
	o.last[i] = offset
	o.n++
}

// measure finds the stride when the second record is added, and that there is
// none with the first that does not fit.
func (o *offsets) measure(offset uint32) {
	switch o.n {
	case 0:
		o.start, o.next = offset, offset
	case 1:
		o.stride.Store(offset - o.start)
		o.next = offset
	default:
		o.stride.Store(0)
		o.next = 0
	}
}

func (o *offsets) grow() {
	var chunks []*offsetChunk
	if old := o.chunks.Load(); old != nil {
		chunks = *old
	}
	o.last = new(offsetChunk)
	chunks = append(chunks[:o.n/offsetsPerChunk], o.last)
	o.chunks.Store(&chunks)
}

func (o *offsets) at(i uint64) int64 {
	return int64((*o.chunks.Load())[i/offsetsPerChunk][i%offsetsPerChunk])
}

// cut forgets all but the first n, which nobody was shown.
func (o *offsets) cut(n uint64) {
	o.n = n
	if i := n % offsetsPerChunk; i != 0 {
		o.last = (*o.chunks.Load())[n/offsetsPerChunk]
	}
}

// pace is right for the entries that its reader was shown.
func (o *offsets) pace() (start, stride int64) {
	stride = int64(o.stride.Load()) // first: with it, start is there
	return int64(o.start), stride
}
