package commitlog

import (
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A ring is the newest records of a log whose segments are written directly, in
// memory that is used again and again, which spares the collector. Readers take
// no lock: they copy, and then look whether the chunk still holds what it did.
// Should a processor have turned these steps around, the checksum of what was
// copied tells.
type ring struct {
	size   int64        // of a chunk
	small  bool         // its pages are: it would not fill a large one, or BenchmarkPages wants them
	mem    *disk.Memory // of all; nil until there is a segment that is written directly
	zeros  []byte       // of it
	chunks [youngChunks]chunk
	lone   atomic.Pointer[chunk] // the newest of those that are not used again
	oldest int                   // guarded by the turn, as is last
	last   *chunk                // that records are added to; nil if there is none
}

// A chunk is a part of a segment in memory, from a block's start on. Every
// record and every batch is whole in one, so that a chunk begins with what its
// first block holds of the one before.
type chunk struct {
	memory []byte
	owner  atomic.Pointer[direct] // the segment's; nil while the chunk changes hands
	from   atomic.Int64           // where it is in the file
	end    atomic.Int64           // up to there it holds records
}

const (
	youngChunks = 8
	mostChunk   = 1 << 20 // bytes; a larger batch has a chunk of its own
	smallBlock  = 256     // the size of the smallest segments
)

// newRing returns the ring for a log.
func newRing(options FileOptions) *ring {
	size := max(min(mostChunk, options.SegmentSize/(4*youngChunks)), smallBlock)
	if size -= size % smallBlock; size > directAlign {
		size -= size % directAlign // else no block is written from where it is
	}
	return &ring{size: size, small: options.smallPages || youngChunks*size < mostZeros}
}

// fill gives the ring its memory. In small pages, what goes to the disk at once
// is many pieces to the system (BenchmarkPages). The zeros begin with a large
// one, and as nobody writes to them take no memory.
func (r *ring) fill() {
	if r.mem != nil {
		return
	}
	r.mem = disk.Anonymous(mostZeros+youngChunks*r.size, !r.small)
	r.zeros = r.mem.Bytes()[:mostZeros]
	for i := range r.chunks {
		r.chunks[i].memory = r.mem.Bytes()[mostZeros+int64(i)*r.size:][:r.size:r.size]
	}
}

// chunkFor returns the chunk for size more bytes behind a segment's end: the
// last, or another one. The turn is held.
func (r *ring) chunkFor(d *direct, end, size int64) *chunk {
	old := r.last
	if old != nil && old.owner.Load() == d && end+size <= old.from.Load()+int64(len(old.memory)) {
		return old
	}
	from := d.down(end)
	c := r.free(end + size - from)
	if old != nil && old.owner.Load() == d {
		copy(c.memory, old.memory[from-old.from.Load():end-old.from.Load()])
	} else {
		copy(c.memory, d.edge[:end-from]) // nothing waits to be written: it is the segment's first
	}
	c.from.Store(from)
	c.end.Store(end)
	c.owner.Store(d)
	r.last = c
	return c
}

// free returns a chunk of at least size bytes that nobody writes from any more.
// None is smaller than the ring's: a flush is to be of few parts.
func (r *ring) free(size int64) *chunk {
	c := &r.chunks[r.oldest]
	owner := c.owner.Load()
	if size > int64(len(c.memory)) || c == r.last || owner != nil && owner.safe.Load() < c.end.Load() {
		c = &chunk{memory: disk.Aligned(max(size, r.size), directAlign)}
		r.lone.Store(c)
		return c
	}
	r.oldest = (r.oldest + 1) % len(r.chunks)
	c.owner.Store(nil)
	return c
}

// find returns the chunk that has what is at off in a segment's file.
func (r *ring) find(d *direct, off int64) *chunk {
	for i := range r.chunks {
		if r.chunks[i].has(d, off) {
			return &r.chunks[i]
		}
	}
	if c := r.lone.Load(); c != nil && c.has(d, off) {
		return c
	}
	return nil
}

func (c *chunk) has(d *direct, off int64) bool {
	return c.owner.Load() == d && c.from.Load() <= off && off < c.end.Load()
}

// bytes returns the chunk's records from off on. Who has used them asks has
// again.
func (c *chunk) bytes(off int64) []byte {
	from := c.from.Load()
	end := min(c.end.Load(), from+int64(len(c.memory)))
	if off < from || off >= end {
		return nil
	}
	return c.memory[off-from : end-from]
}
