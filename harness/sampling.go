package harness

// A sampling is which operations are timed one by one: with 0 each, or else one after a gap
// of random length, which is shorter than this.
type sampling int

// A sample costs two readings of the clock and a place in a histogram, some 100 ns: 3 % of 64
// operations of 50 ns, and of 512 of 6.
const (
	eachTimed sampling = 0
	oneIn128  sampling = 127 // at least, and one in 64 on average
	oneIn1024 sampling = 1023
)

const (
	// eachFrom is how long an operation takes a processor, at least, if every one is
	// timed: two clock readings then cost less than 4 %, a chained one 2 %.
	eachFrom = 1200 // ns
	// manyFrom is how long it takes if one in 64 is timed.
	manyFrom = 50 // ns
)

// short is how operations are sampled that take a processor so many nanoseconds, too few to be
// timed each.
func short(took float64) sampling {
	if took < manyFrom {
		return oneIn1024
	}
	return oneIn128
}

// chance is that of any operation to be a sample: one in the mean gap and one.
func (s sampling) chance(state *uint64) bool { return s.gap(state) < 2 }

// gap draws the number of operations to skip (xorshift64: a few instructions, and no two
// goroutines in step).
func (s sampling) gap(state *uint64) int {
	x := *state
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*state = x
	return int((x >> 32) * uint64(s) >> 32)
}
