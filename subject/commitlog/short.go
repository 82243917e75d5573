package commitlog

import "math"

// Short records, and where the processor folds sums all records, have routines of
// their own, which take far fewer instructions than copy and crc32.Update do for them.
//
// Of reads: what lies between one wait for memory and the next is what a random
// read costs where no cache holds the log. A processor that can begin the next read
// before this one's bytes are there waits for both together. It looks a few hundred
// instructions ahead, half as many while its other thread is busy, too, and not
// beyond a store whose address is not known. So one routine does all of a read, from
// the index on, and is told how long the value is; shelves know that. Nor does it look
// further when too many instructions wait for what is not there yet, and the words
// of a sum do, each for memory and for the one before it. So the sum of a longer
// value is folded: the first half of a piece of 128 bytes is added to the second one
// with two products, and half of the words are left (BenchmarkGet).
//
// Of appends: the turn is held meanwhile (BenchmarkPut). The record is stored and never
// read, which crc32.Update would do: its memory is in no cache, as a rule, and stores do
// not wait for it.

// mostShort is the longest value that counts as short: the sums of longer ones are
// faster by package crc32, which has three on the way at a time, unless they are folded.
const mostShort = 512

// foldFrom is the length from which the routines fold the sum of a value.
var foldFrom = shortestFolded()

func shortestFolded() int {
	if hasFold {
		return 128
	}
	return math.MaxInt
}

// canCopy reports whether copyEntry may be called for a value of n bytes.
func canCopy(n int) bool { return n > 0 && canPut(n) }

// canPut reports whether putEntry may be called for a value of n bytes.
func canPut(n int) bool { return hasShort && (n <= mostShort || n >= foldFrom) }
