package commitlog

import "golang.org/x/sys/cpu"

// hasShort reports whether the processor has the instructions that the routines
// for short records need.
var hasShort = cpu.X86.HasAVX && cpu.X86.HasSSE42

// copyEntry stores the value of a record, which has n bytes, at dst. It reports
// false, and what is at dst may be anything, unless the record has this head, more
// left out, and with the seed the checksum that it should. The record's memory
// must be there as far as a value of n bytes needs it, and n as [canCopy] asks.
//
//go:noescape
func copyEntry(dst, record *byte, n int, head uint64, seed uint32) bool

// putEntry makes what is at dst the record of a value of n bytes; n is as [canPut]
// asks.
//
//go:noescape
func putEntry(dst, value *byte, n int, head uint64, seed uint32)
