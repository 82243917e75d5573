package commitlog

import "bytes"

const (
	defaultChunkSize = 256 << 10
	maxChunkSize     = 1 << 30 // offsets in a chunk have 32 bits
	spansPerBlock    = 4096
)

// MemoryOptions are the settings of a Memory; the zero value is useful.
type MemoryOptions struct {
	// ChunkSize is how many bytes of values share one allocation; 0 means
	// 256 KiB, and 1 GiB is the most it can be. A value longer than a quarter
	// of it gets a chunk of its own.
	ChunkSize int
}

// Memory is a log in memory. Order total, result linearizable, survives
// nothing.
//
// Values are copied one behind the other into large chunks and found again
// through spans that hold no pointers, so that an append allocates only when
// a chunk is full and the garbage collector has next to nothing to walk.
type Memory struct {
	chunkSize int

	turn   turn // guards what follows
	chunks [][]byte
	open   []byte // what is left of the chunk that small values go to
	used   uint32 // how much of that chunk is taken
	number uint32 // of that chunk
	blocks []*spanBlock
	block  *spanBlock // the last one
	closed bool
}

type spanBlock [spansPerBlock]span

// A span says where in the chunks a value lies.
type span struct {
	chunk, offset, length uint32
}

// OpenMemory returns an empty log. It has no path: nothing of it outlives
// the process.
func OpenMemory(options MemoryOptions) *Memory {
	size := options.ChunkSize
	if size <= 0 {
		size = defaultChunkSize
	}
	return &Memory{chunkSize: min(size, maxChunkSize)}
}

// Append implements [Log].
func (m *Memory) Append(value []byte) (uint64, error) {
	index := m.turn.take()
	if m.closed || len(value) > MaxValueSize {
		err := m.refusal()
		m.turn.give(index)
		return 0, appendError(index, err)
	}
	i := index % spansPerBlock
	if i == 0 {
		m.block = new(spanBlock)
		m.blocks = append(m.blocks, m.block)
	}
	if len(value) > len(m.open) || m.open == nil {
		m.block[i] = m.storeApart(value)
	} else {
		m.block[i] = m.store(value)
	}
	m.turn.give(index + 1)
	return index, nil
}

// refusal says why a value is not appended.
func (m *Memory) refusal() error {
	if m.closed {
		return ErrClosed
	}
	return ErrTooLarge
}

// store copies value behind the last one. A chunk is never reallocated, so
// that readers may copy out of it without the turn.
func (m *Memory) store(value []byte) span {
	at := span{m.number, m.used, uint32(len(value))}
	copy(m.open, value)
	m.open = m.open[len(value):]
	m.used += uint32(len(value))
	return at
}

// storeApart stores a value that does not fit into what is left of the chunk:
// into the next one, or a large one into one of its own.
func (m *Memory) storeApart(value []byte) span {
	number := uint32(len(m.chunks))
	if len(value) > m.chunkSize/4 {
		m.chunks = append(m.chunks, bytes.Clone(value))
		return span{chunk: number, length: uint32(len(value))}
	}
	chunk := make([]byte, m.chunkSize)
	m.chunks = append(m.chunks, chunk)
	m.open, m.used, m.number = chunk, 0, number
	return m.store(value)
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
	next := m.turn.take()
	defer m.turn.give(next)
	if m.closed {
		return nil, ErrClosed
	}
	if index >= next {
		return nil, ErrNotFound
	}
	at := m.blocks[index/spansPerBlock][index%spansPerBlock]
	return m.chunks[at.chunk][at.offset : at.offset+at.length], nil
}

// Next returns the index behind the last entry.
func (m *Memory) Next() uint64 { return m.turn.next() }

// Close implements [Log]. It lets go of the memory at once.
func (m *Memory) Close() error {
	next := m.turn.take()
	defer m.turn.give(next)
	if m.closed {
		return closeError(ErrClosed)
	}
	m.closed, m.chunks, m.open, m.blocks, m.block = true, nil, nil, nil, nil
	return nil
}
