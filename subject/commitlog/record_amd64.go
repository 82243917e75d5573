package commitlog

import "golang.org/x/sys/cpu"

// hasShort reports whether the processor has the instructions that the routines
// for short records need.
var hasShort = cpu.X86.HasAVX && cpu.X86.HasSSE42

// hasFold reports whether it has those that fold a sum: AVX-512, and products without
// carries of 64 bytes.
var hasFold = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPCLMULQDQ

// copyShelved stores the value of the entry at index at dst, where there is room for
// so many bytes, and returns its length. A length beyond the room says how much room
// it takes to try. If the entry is on none of the shelves, or what is there is not the
// entry, n is -1, and what is at dst may be anything.
//
//go:noescape
func copyShelved(dst *byte, room int, a *shelves, index uint64) (n int)

// copyEntry stores the value of a record at dst, and returns its length, which the
// head tells. Unless the record has this head, more left out, and with the seed the
// checksum that it should, n is -1, and what is at dst may be anything. The
// record's memory must be there as far as the value needs it, and its length as
// [canCopy] asks.
//
//go:noescape
func copyEntry(dst, record *byte, head uint64, seed uint32) (n int)

// putEntry makes what is at dst the record of a value of n bytes; n is as [canPut]
// asks.
//
//go:noescape
func putEntry(dst, value *byte, n int, head uint64, seed uint32)
