package parallel

// calibrate takes samples of operations that do nothing, with a few more between
// them. For what a sample reads those have loops in them, as real ones have:
// without, the processor would have learnt every branch on the way to the clock
// by heart. It takes about 50 µs.
func (w *window) calibrate() {
	const samples = held - 1 // one more would hand them over
	_, took := w.probe(samples, 0)
	w.price = max(1, took/samples)
	latencies, _ := w.probe(samples, 64)
	w.cost = usual(latencies[:samples])
	w.floor = 2 * max(w.step(), w.cost)
}

// step is the least time that the clock tells from none: of readings in a row
// the least difference that is one. It is no less than a reading takes.
func (w *window) step() int64 {
	const (
		enough = 64      // readings
		most   = 1 << 22 // where the clock stands still for milliseconds
	)
	var least int64
	last, changes := w.now(), 0
	for i := 0; i < enough || changes < 3 && i < most; i++ {
		now := w.now()
		if took := now - last; took > 0 {
			if changes++; least == 0 || took < least {
				least = took
			}
		}
		last = now
	}
	return least
}

// probe takes so many samples, and the time that all operations took together.
func (w *window) probe(samples int, steps uint64) (latencies [held]int64, took int64) {
	l := lane{window: w, spacing: 8, left: 1 << 20, random: 1, last: w.now()}
	begin, cache, x := l.last, uint64(0), uint64(1)
	for l.count < samples {
		if cache == 0 {
			cache = l.ask()
		}
		cache--
		n := steps
		if l.timing {
			n = 0
		}
		x = walk(x, n)
	}
	return l.latencies, l.last - begin
}

// walk is n steps that each wait for the one before (xorshift64).
//
//go:noinline
func walk(x, n uint64) uint64 {
	for ; n > 0; n-- {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// ask is the slow path of Next with operations at hand, as far from its caller.
//
//go:noinline
func (l *lane) ask() uint64 {
	l.settle()
	return l.deal()
}

// usual is the mean of those latencies that are not above twice the median: the
// others were interrupted.
func usual(latencies []int64) int64 {
	limit := 2 * median(latencies)
	var sum, n int64
	for _, ns := range latencies {
		if ns <= limit {
			sum += ns
			n++
		}
	}
	return (sum + n/2) / n
}

// median is the lower one of an even number. It is for few values: it compares
// each with all, and needs no other package.
func median(values []int64) int64 {
	for _, candidate := range values {
		below, above := 0, 0
		for _, v := range values {
			if v < candidate {
				below++
			} else if v > candidate {
				above++
			}
		}
		if half := len(values) / 2; below <= (len(values)-1)/2 && above <= half {
			return candidate
		}
	}
	return 0
}
