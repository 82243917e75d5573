//go:build linux

package crashtest

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Acks is memory that child and parent share: for each goroutine, on a cache
// line of its own, one word that says how many appends were acknowledged and
// what index the last one got.
type acks struct{ memory []byte }

const ackLine = 64

// mapAcks maps the file at path, which is made if there is none.
func mapAcks(path string) (*acks, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := file.Truncate(Goroutines * ackLine); err != nil {
		return nil, err
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, Goroutines*ackLine, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return &acks{memory}, nil
}

func (a *acks) close() error { return syscall.Munmap(a.memory) }

func (a *acks) word(goroutine int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&a.memory[goroutine*ackLine]))
}

// note is called once an append was acknowledged.
func (a *acks) note(goroutine int, seq, index uint64) {
	a.word(goroutine).Store((seq+1)<<32 | index)
}

func (a *acks) snapshot() (s snapshot) {
	for g := range s {
		word := a.word(g).Load()
		s[g] = ack{count: word >> 32, index: word & (1<<32 - 1)}
	}
	return s
}

func (a *acks) total() int64 { return int64(a.snapshot().total()) }
