package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// An output brings what is in memory of the process into a segment's file. A durable
// log writes past the system's cache, where it can, whose pages can cost more than
// the write, with as many zeros behind the records, now and then, that the next flushes
// find their blocks written (BenchmarkDirect).
//
// As long as it is written so, a segment is read from memory or past the cache, too.
// It is left when nothing is added any more.
type output struct {
	file   disk.File
	memory *disk.Memory
	direct disk.Direct  // nil if the file is written in the usual way
	kept   int64        // how many bytes of what was written stay in memory
	block  int64        // that is written
	edge   []byte       // the last block that was written, if in part
	zeroed int64        // the blocks below were written
	done   atomic.Int64 // up to here the file has what memory has
	first  atomic.Int64 // from here on memory has it
	left   atomic.Bool  // direct is closed
}

// write writes memory's bytes from..to: the last block from a copy, since more may be
// added to it meanwhile. If it fails it says how many bytes were taken, unless that is a
// flushError: then nobody knows.
func (o *output) write(memory []byte, from, to int64) (taken int, err error) {
	if o.direct != nil {
		err = o.writeBlocks(memory, from, to)
	} else {
		taken, err = o.file.WriteAt(memory[from:to], from)
	}
	if err != nil {
		return taken, err
	}
	o.done.Store(to)
	if first := o.keptFrom(to); first > o.first.Load() {
		o.memory.Release(o.first.Swap(first), first)
	}
	return taken, nil
}

// keptFrom is from where on memory has what was written up to an offset. By default a quarter of it is a large page:
// one that is given back whole is the next that is stored to, and nobody waits for the system to find another, of
// which a virtual machine's host may have to find each part.
func (o *output) keptFrom(to int64) int64 {
	piece := o.kept / 4
	return (to - o.kept) / piece * piece
}

// writeBlocks is write past the cache. Nobody knows what the disk holds of what failed.
func (o *output) writeBlocks(memory []byte, from, to int64) error {
	at, whole, end := o.down(from), o.down(to), o.up(to)
	var parts [][]byte
	if at < whole {
		parts = append(parts, memory[at:whole])
	}
	if whole < to {
		clear(o.edge[copy(o.edge, memory[whole:to]):])
		parts = append(parts, o.edge)
	}
	if end > o.zeroed {
		if ahead := o.down(min(8*end, disk.MostZeros, int64(len(memory))-end)); ahead > 0 {
			parts = append(parts, disk.Zeros()[:ahead])
			end += ahead
		}
	}
	if err := o.direct.WriteSafe(at, parts...); err != nil {
		return &flushError{err}
	}
	o.zeroed = max(o.zeroed, end)
	return nil
}

// undo writes zeros where a write has failed with a part taken. They are flushed, so that
// no power cut takes them.
func (o *output) undo(from, to int64) error {
	if from == to {
		return nil
	}
	if err := writeZeros(o.file, from, to, disk.MostZeros); err != nil {
		return err
	}
	return flush(o.file)
}

// safe reports whether all that was written is safe without a flush.
func (o *output) safe() bool { return o != nil && o.direct != nil }

// down and up round to a multiple of the block.
func (o *output) down(n int64) int64 { return n - n%o.block }
func (o *output) up(n int64) int64   { return o.down(n + o.block - 1) }

// openDirect has a segment that has nothing yet written past the cache, where the system lets it: that tells
// by the first write.
func (o *output) openDirect() (err error) {
	if o.direct, err = o.file.Direct(); err != nil {
		o.direct = nil
		return nil // in the usual way, then, which will tell of what else is wrong
	}
	o.block = o.direct.Block()
	o.edge = disk.Aligned(o.block, o.block)
	if err = o.file.Reserve(o.up(recordsStart)); err == nil {
		err = o.writeBlocks(o.memory.Bytes()[:o.up(recordsStart)], 0, recordsStart)
	}
	if err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
		err = both(err, o.direct.Close())
		o.direct, o.zeroed, o.block = nil, 0, 1
	}
	return err
}

// has returns a copy of up to n bytes from off on, of what was written and memory has;
// nil if that has not the first.
func (o *output) has(off, n int64) []byte {
	n = min(n, o.done.Load()-off)
	if n <= 0 || off < o.first.Load() {
		return nil
	}
	b := bytes.Clone(o.memory.Bytes()[off : off+n])
	if off < o.first.Load() { // released meanwhile
		return nil
	}
	return b
}

// read reads up to n bytes from off on, of what was written.
func (o *output) read(off, n int64) ([]byte, error) {
	if b := o.has(off, n); b != nil {
		return b, nil
	}
	if n = min(n, o.done.Load()-off); n <= 0 {
		return nil, nil
	}
	if o.direct != nil && !o.left.Load() {
		start := o.down(off)
		b := disk.Aligned(o.up(off+n)-start, o.block)
		read, err := o.direct.ReadAt(b, start)
		if err = unlessEnd(err); !errors.Is(err, os.ErrClosed) {
			b = b[:min(int64(read), off+n-start)]
			return b[min(off-start, int64(len(b))):], err
		}
	}
	b := make([]byte, n)
	read, err := o.file.ReadAt(b, off)
	return b[:read], unlessEnd(err)
}

var errStale = errors.New("the system's cache holds something else than was written")

// leaveDirect has a segment read and written in the usual way from here on. All
// of it is safe, up to its end, and nothing is added any more. Should the cache
// have caught a part of the last block while that was written, the table would be
// put behind that part.
func (o *output) leaveDirect(end int64) error {
	if o == nil || o.direct == nil || o.left.Load() {
		return nil
	}
	if done := o.done.Load(); done != end {
		return fmt.Errorf("%d of %d bytes are safe", done, end)
	}
	if err := o.direct.Forget(); err != nil {
		return err
	}
	cached := make([]byte, end-o.down(end))
	if _, err := o.file.ReadAt(cached, o.down(end)); unlessEnd(err) != nil {
		return err
	}
	if !bytes.Equal(cached, o.edge[:len(cached)]) {
		return errStale
	}
	o.left.Store(true)
	return o.direct.Close()
}

// release gives the memory back. What was written is read from the file from here on; nothing is added any more.
func (o *output) release() {
	if o != nil {
		o.memory.Release(o.first.Swap(o.done.Load()), int64(len(o.memory.Bytes())))
	}
}

func (o *output) close() error {
	o.release()
	if o == nil || o.direct == nil || o.left.Load() {
		return nil
	}
	return o.direct.Close()
}
