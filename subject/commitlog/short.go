package commitlog

import "math"

// Short records have routines of their own, which take far fewer instructions than
// copy and crc32.Update do for them. Where the processor folds sums, all appends have.
//
// Of reads: what lies between one wait for memory and the next is what a random
// read costs where no cache holds the log. A processor that can begin the next read
// before this one's bytes are there waits for both together. It looks a few hundred
// instructions ahead, half as many while its other thread is busy, too, and not
// beyond a store whose address is not known. So one routine does all of a read, from
// the index on, and is told how long the value is; shelves know that (BenchmarkGet).
//
// Of appends: the turn is held meanwhile (BenchmarkPut). The record is stored and never
// read, which crc32.Update would do: its memory is in no cache, as a rule, and stores do
// not wait for it. Where the processor can, the sum of a longer value is folded: a
// piece of 64 bytes is added to the next one with two products.

// mostShort is the longest value that counts as short: the sums of longer ones are
// faster by package crc32, which has three on the way at a time, unless they are folded.
const mostShort = 512

// foldFrom is the length from which putEntry folds the sum of a value.
var foldFrom = shortestFolded()

func shortestFolded() int {
	if hasFold {
		return 128
	}
	return math.MaxInt
}

// canCopy reports whether copyEntry may be called for a value of n bytes.
func canCopy(n int) bool { return hasShort && n > 0 && n <= mostShort }

// canPut reports whether putEntry may be called for a value of n bytes.
func canPut(n int) bool { return hasShort && (n <= mostShort || n >= foldFrom) }
