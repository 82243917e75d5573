package disk

import "runtime"

// Memory is a file's bytes as memory of the process. It lasts as long as
// something refers to it: who reads or stores bytes keeps the Memory alive
// until that is done (runtime.KeepAlive), and nobody has to wait for readers.
type Memory struct{ bytes []byte }

// NewMemory returns bytes as a Memory. When it is no longer referred to, unmap
// is called, by a goroutine of the runtime.
func NewMemory(bytes []byte, unmap func(bytes []byte)) *Memory {
	m := &Memory{bytes}
	runtime.AddCleanup(m, unmap, bytes)
	return m
}

// Bytes is the memory.
func (m *Memory) Bytes() []byte { return m.bytes }
