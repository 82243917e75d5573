package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A direct is how a durable log writes a segment that it has made, where the
// system lets it: past the system's cache, whose pages can cost more than the
// write, with as many zeros behind the records, now and then, that the next
// flushes find their blocks written (BenchmarkDirect).
//
// As long as it is written so, a segment is read from memory or past the cache,
// too. It is left when nothing is added any more.
type direct struct {
	disk.Direct
	block   int64
	ring    *ring
	safe    atomic.Int64 // up to here the disk has what was appended
	written int64        // the blocks below were written; guarded by File.flushing
	edge    []byte       // the last block that was written, if in part; guarded by the same
	left    atomic.Bool
}

// directAlign is a multiple of every block.
const directAlign = 4096

// mostZeros is the most that is written ahead of the records at once.
const mostZeros = 2 << 20

// openDirect has a segment that has no header yet written directly, and writes
// that. It reports false where the system does not let it.
func (s *segment) openDirect(r *ring) (bool, error) {
	opened, err := s.file.Direct()
	if err != nil {
		return false, nil // in the usual way, then, which will tell of what else is wrong
	}
	r.fill()
	d := &direct{Direct: opened, block: opened.Block(), ring: r}
	d.written = d.up(recordsStart)
	header := disk.Aligned(d.written, d.block)
	copy(header, s.headers())
	d.edge = header[d.written-d.block:]
	if err = d.Reserve(d.written); err == nil {
		err = d.flush(0, header)
	}
	if err != nil {
		return false, both(unlessUnsupported(err), d.Close())
	}
	d.safe.Store(recordsStart)
	s.direct = d
	s.size.Store(d.written)
	return true, nil
}

func unlessUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// down and up round to a multiple of the block.
func (d *direct) down(n int64) int64 { return n - n%d.block }
func (d *direct) up(n int64) int64   { return d.down(n + d.block - 1) }

// reserve is extend for a segment that is written directly.
func (s *segment) reserve(size int64) error {
	size = s.direct.up(size)
	if err := s.direct.Reserve(size); err != nil {
		return err
	}
	s.size.Store(size)
	return nil
}

// write makes pieces safe, each of which begins with the block that the one
// before ends in, in a file of the given size. The last block is written from a
// copy, since more may be added to it meanwhile.
func (d *direct) write(pieces []piece, size int64) error {
	parts := make([][]byte, 0, len(pieces)+2)
	for _, p := range pieces {
		if whole := d.down(int64(len(p.bytes))); whole > 0 {
			parts = append(parts, p.bytes[:whole])
		}
	}
	last := pieces[len(pieces)-1]
	if rest := last.bytes[d.down(int64(len(last.bytes))):]; len(rest) > 0 {
		clear(d.edge[copy(d.edge, rest):])
		parts = append(parts, d.edge)
	}
	safe := last.at + int64(len(last.bytes))
	end := d.up(safe)
	if end > d.written {
		if ahead := d.down(min(8*end, mostZeros, size-end)); ahead > 0 {
			parts = append(parts, d.ring.zeros[:ahead])
			end += ahead
		}
		d.written = end
	}
	if err := d.flush(pieces[0].at, parts...); err != nil {
		return err
	}
	d.safe.Store(safe)
	return nil
}

// flush is WriteSafe. Nobody knows what the disk holds of what failed.
func (d *direct) flush(at int64, parts ...[]byte) error {
	if err := d.WriteSafe(at, parts...); err != nil {
		return &flushError{err}
	}
	return nil
}

// read reads n bytes from the offset off on, fewer where that is all there is,
// or all that is together.
func (d *direct) read(file disk.File, off, n int64) ([]byte, error) {
	if n = min(n, d.safe.Load()-off); n <= 0 {
		return nil, nil
	}
	if c := d.ring.find(d, off); c != nil {
		b := c.bytes(off)
		b = bytes.Clone(b[:min(n, int64(len(b)))])
		if len(b) > 0 && c.has(d, off) {
			return b, nil
		}
	}
	if !d.left.Load() {
		start := d.down(off)
		b := disk.Aligned(d.up(off+n)-start, d.block)
		read, err := d.ReadBlocks(b, start)
		if err = unlessEnd(err); !errors.Is(err, os.ErrClosed) {
			b = b[:min(int64(read), off+n-start)]
			return b[min(off-start, int64(len(b))):], err
		}
	}
	b := make([]byte, n)
	read, err := file.ReadAt(b, off)
	return b[:read], unlessEnd(err)
}

// copyAt is the segment's copyAt: from the ring, if it is there.
func (d *direct) copyAt(s *segment, index uint64, off, limit int64, buf []byte) (value []byte, ok bool) {
	c := d.ring.find(d, off)
	if c == nil {
		return nil, false
	}
	b := c.bytes(off) // less than a record, if c has just changed hands
	limit = min(limit, off+int64(len(b)))
	if !mayStart(off, limit) {
		return nil, false
	}
	sum, head := sumOf(b), headOf(b)
	n, ok := lengthIn(head, index, int(limit-off))
	if !ok {
		return nil, false
	}
	value = put(buf, b[recordHeaderSize:][:n])
	return value, proves(s.seed, sum, head, value) && c.has(d, off)
}

var errStale = errors.New("the system's cache holds something else than was written")

// leaveDirect has a segment read and written in the usual way from here on. All
// of it is safe, up to its end, and nothing is added any more. Should the cache
// have caught a part of the last block while that was written, the table would be
// put behind that part.
func (s *segment) leaveDirect(end int64) error {
	d := s.direct
	if d == nil || d.left.Load() {
		return nil
	}
	if safe := d.safe.Load(); safe != end {
		return fmt.Errorf("%d of %d bytes are safe", safe, end)
	}
	if err := d.Forget(); err != nil {
		return err
	}
	cached := make([]byte, end-d.down(end))
	if _, err := s.file.ReadAt(cached, d.down(end)); unlessEnd(err) != nil {
		return err
	}
	if !bytes.Equal(cached, d.edge[:len(cached)]) {
		return errStale
	}
	d.left.Store(true)
	return d.Close()
}
