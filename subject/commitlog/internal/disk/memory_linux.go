package disk

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Populate has the system find memory, and space in the file, for the bytes from..to
// before somebody stores there, which then waits for neither. It changes none of them.
// Where the system does not know this, nothing is done.
func (m *Memory) Populate(from, to int64) { m.advise(from, to, unix.MADV_POPULATE_WRITE) }

// Release gives back the memory of whole pages among the bytes from..to of an
// Anonymous: they are zero then, or what they were.
func (m *Memory) Release(from, to int64) { m.advise(from, to, unix.MADV_DONTNEED) }

// Forget has the process look up again where in the system's cache the whole pages among the
// bytes from..to of a mapped file are. To write a page that a process stored to, the system
// has to take it from the process, which interrupts the other processors for each page; like
// this it has none to take. The bytes stay what they are.
func (m *Memory) Forget(from, to int64) {
	if m.file {
		m.advise(from, to, unix.MADV_DONTNEED)
	}
}

// large has the system use large pages from an offset on.
func (m *Memory) large(from int64) { m.advise(from, int64(len(m.bytes)), unix.MADV_HUGEPAGE) }

// Random has the system read single pages where their bytes are asked for, and none
// beside them.
func (m *Memory) Random() { m.advise(0, int64(len(m.bytes)), unix.MADV_RANDOM) }

// want has the system begin to read what the bytes from..to are.
func (m *Memory) want(from, to int64) { m.advise(from&^(Alignment-1), to, unix.MADV_WILLNEED) }

func (m *Memory) advise(from, to int64, advice int) {
	from = (from + Alignment - 1) &^ (Alignment - 1)
	to = min(to, int64(len(m.bytes))) &^ (Alignment - 1)
	if from < to {
		ignoringInterrupts(func() error { return unix.Madvise(m.bytes[from:to], advice) })
		runtime.KeepAlive(m) // what is mapped there next is somebody else's
	}
}
