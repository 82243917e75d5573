package crashtest

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A slot is where one goroutine of the child says how far it has got. It
// fills a cache line, so that the goroutines do not slow each other down.
type slot struct {
	start atomic.Uint64 // where the parent tells it to begin
	acked atomic.Uint64 // next<<32 | index of next-1, to be read in one piece
	_     [48]byte
}

const noIndex = 1<<32 - 1

// slots are memory that parent and child share through a file outside the
// log's directory. They survive the child.
type slots struct {
	memory []byte
	slot   *[writers]slot
}

func makeSlots(path string) (*slots, error) {
	if err := os.WriteFile(path, make([]byte, unsafe.Sizeof([writers]slot{})), 0o600); err != nil {
		return nil, fmt.Errorf("make slots: %w", err)
	}
	return mapSlots(path)
}

func mapSlots(path string) (*slots, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("map slots: %w", err)
	}
	defer file.Close()
	size := int(unsafe.Sizeof([writers]slot{}))
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map slots: %w", err)
	}
	return &slots{memory, (*[writers]slot)(unsafe.Pointer(&memory[0]))}, nil
}

func (s *slots) close() error { return syscall.Munmap(s.memory) }

// begin tells the goroutines to go on behind what the log holds.
func (s *slots) begin(found [writers]uint64) {
	for g := range s.slot {
		s.slot[g].start.Store(found[g])
		s.slot[g].acked.Store(found[g]<<32 | noIndex)
	}
}

// publish says that append seq of the slot's goroutine was acknowledged.
func (s *slot) publish(seq, index uint64) { s.acked.Store((seq+1)<<32 | index) }

func (s *slots) acks() [writers]ack {
	var acks [writers]ack
	for g := range s.slot {
		acked := s.slot[g].acked.Load()
		acks[g] = ack{start: s.slot[g].start.Load(), next: acked >> 32, index: int64(acked & noIndex)}
		if acks[g].index == noIndex {
			acks[g].index = -1
		}
	}
	return acks
}

// any says whether an append of this run was acknowledged.
func (s *slots) any() bool {
	for _, a := range s.acks() {
		if a.next > a.start {
			return true
		}
	}
	return false
}
