package commitlog

// Short records have routines of their own, which take far fewer instructions than
// copy and crc32.Update do for them.
//
// Of reads: what lies between one wait for memory and the next is what a random
// read costs where no cache holds the log. A processor that can begin the next read
// before this one's bytes are there waits for both together. It looks a few hundred
// instructions ahead, half as many while its other thread is busy, too, and not
// beyond a store whose address is not known. So the routine is told how long the
// value is; shelves know that (BenchmarkGet).
//
// Of appends: the turn is held meanwhile (BenchmarkPut).

// mostShort is the longest value that counts as short: the sums of longer ones are
// faster by package crc32, which has three on the way at a time.
const mostShort = 512

// canCopy reports whether copyEntry may be called for a value of n bytes.
func canCopy(n int) bool { return hasShort && n > 0 && n <= mostShort }

// canPut reports whether putEntry may be called for a value of n bytes.
func canPut(n int) bool { return hasShort && n <= mostShort }
