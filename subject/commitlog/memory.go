package commitlog

import (
	"bytes"
	"math/bits"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

const (
	defaultChunkSize = 256 << 10
	maxChunkSize     = 1 << 30
	endsPerBlock     = 4096
	mostInChunk      = 256 << 10 // bytes of a value; a block's values end less than 4 GiB behind its start
)

// MemoryOptions are the settings of a Memory; the zero value is useful.
type MemoryOptions struct {
	// ChunkSize is how many bytes of values share one allocation, rounded up
	// to a power of two; 0 means 256 KiB, and 1 GiB is the most it can be. A
	// value longer than a quarter of it, or than 256 KiB, has one of its own.
	ChunkSize int
}

// Memory is a log in memory. Order total, result linearizable, survives
// nothing.
//
// Values are copied one behind the other into chunks of one size. None lies in
// two, so that where a value begins follows from its end and the end before:
// four bytes for each entry, without a pointer. An append allocates only when a
// chunk is full, and the garbage collector has next to nothing to walk.
type Memory struct {
	shift uint // a chunk has 1<<shift bytes
	most  int  // bytes of a value that goes into a chunk

	turn   turn.Turn // guards what follows
	open   []byte    // what is left of the last chunk
	end    uint64    // of the last value, counted over all chunks
	last   block
	chunks [][]byte
	blocks []block
	apart  map[uint64][]byte // the long values, by index; they end where they begin
	closed bool
}

// A block says where values end, counted from its start.
type block struct {
	start uint64 // the end of the value before
	ends  *[endsPerBlock]uint32
}

// OpenMemory returns an empty log. It has no path: nothing of it outlives
// the process.
func OpenMemory(options MemoryOptions) *Memory {
	size := options.ChunkSize
	if size <= 0 {
		size = defaultChunkSize
	}
	shift := uint(bits.Len(uint(min(size, maxChunkSize) - 1)))
	return &Memory{shift: shift, most: min(1<<shift/4, mostInChunk)}
}

// Append implements [Log].
func (m *Memory) Append(value []byte) (uint64, error) {
	index := m.turn.Take()
	if m.closed || len(value) > MaxValueSize {
		err := ErrTooLarge
		if m.closed {
			err = ErrClosed
		}
		m.turn.Give(index)
		return 0, appendError(index, err)
	}
	i := index % endsPerBlock
	if i == 0 {
		m.last = block{m.end, new([endsPerBlock]uint32)}
		m.blocks = append(m.blocks, m.last)
	}
	if len(value) > min(len(m.open), m.most) {
		m.makeRoom(index, value)
	} else {
		m.store(value)
	}
	m.last.ends[i] = uint32(m.end - m.last.start)
	m.turn.Give(index + 1)
	return index, nil
}

// store copies value behind the last one. A chunk is never reallocated, so
// that readers may copy out of it without the turn.
func (m *Memory) store(value []byte) {
	copy(m.open, value)
	m.open = m.open[len(value):]
	m.end += uint64(len(value))
}

// makeRoom stores a value that does not fit into what is left of the chunk: into
// the next one, or a long one apart.
func (m *Memory) makeRoom(index uint64, value []byte) {
	if len(value) > m.most {
		if m.apart == nil {
			m.apart = map[uint64][]byte{}
		}
		m.apart[index] = bytes.Clone(value)
		return
	}
	m.open = make([]byte, 1<<m.shift)
	m.end = uint64(len(m.chunks)) << m.shift
	m.chunks = append(m.chunks, m.open)
	m.store(value)
}

// Get implements [Log].
func (m *Memory) Get(index uint64) (Entry, error) {
	stored, err := m.find(index)
	if err != nil {
		return Entry{}, getError(index, err)
	}
	value := make([]byte, len(stored))
	copy(value, stored)
	return Entry{Index: index, Value: value}, nil
}

func (m *Memory) find(index uint64) ([]byte, error) {
	next := m.turn.Take()
	defer m.turn.Give(next)
	if m.closed {
		return nil, ErrClosed
	}
	if index >= next {
		return nil, ErrNotFound
	}
	start, end := m.blocks[index/endsPerBlock].bounds(index % endsPerBlock)
	if start == end {
		return m.apart[index], nil // nothing, if the value is empty
	}
	chunk := (end - 1) >> m.shift
	first := chunk << m.shift
	return m.chunks[chunk][max(start, first)-first : end-first], nil
}

// bounds are the ends of the value before and of this one.
func (b block) bounds(i uint64) (start, end uint64) {
	if i > 0 {
		start = uint64(b.ends[i-1])
	}
	return b.start + start, b.start + uint64(b.ends[i])
}

// Next returns the index behind the last entry.
func (m *Memory) Next() uint64 { return m.turn.Next() }

// Close implements [Log]. It lets go of the memory at once.
func (m *Memory) Close() error {
	next := m.turn.Take()
	defer m.turn.Give(next)
	if m.closed {
		return closeError(ErrClosed)
	}
	m.closed, m.chunks, m.open, m.blocks, m.last, m.apart = true, nil, nil, nil, block{}, nil
	return nil
}
