package disk

import (
	"bytes"
	"runtime"
)

// Memory is a file's bytes as memory of the process. It lasts as long as
// something refers to it: who reads or stores bytes keeps the Memory alive
// until that is done (runtime.KeepAlive), and nobody has to wait for readers.
type Memory struct {
	bytes []byte
	file  bool // these are a file's, and stay there
}

// NewMemory returns bytes as a Memory. When it is no longer referred to, unmap
// is called, by a goroutine of the runtime.
func NewMemory(b []byte, unmap func(bytes []byte)) *Memory {
	m := &Memory{bytes: b}
	runtime.AddCleanup(m, unmap, b)
	return m
}

// Alignment is that of memory which no system gave: a multiple of every block.
const Alignment = 4096

// readAhead is how much of a file that is mapped the system reads beside what is copied, and
// how often it is asked to: asking costs as much as copying some KiB.
const readAhead = 256 << 10

// Copy returns n bytes from an offset on, fewer where they end, to somebody who reads on.
func (m *Memory) Copy(off, n int64) []byte {
	if off >= int64(len(m.bytes)) {
		return nil
	}
	if off%readAhead < n { // of reads that follow one another one in each such piece does
		m.want(off, off+2*readAhead)
	}
	b := bytes.Clone(m.bytes[off:min(off+n, int64(len(m.bytes)))])
	runtime.KeepAlive(m)
	return b
}

// Bytes is the memory.
func (m *Memory) Bytes() []byte { return m.bytes }
