package parallel

// While nothing is known of an operation, it is timed by itself as long as it is
// long: a reading of the clock is little against it. After a short one the
// goroutine times batches as a whole, each eight times as large as the one
// before, until it has seen enough. A benchmark of a hundred short operations is
// then not one of a hundred readings; it has no latencies.

const (
	probation = 64      // operations of a goroutine after which it knows what one takes
	batchMin  = 8       // operations of the first batch
	batchMax  = 1 << 12 // and of the largest
)

// doubts reports whether it is not known yet what an operation takes.
func (l *lane) doubts() bool { return l.spacing == 0 && l.window.doubt.Load() }

// judge says what is timed next, after n operations that took so long.
func (l *lane) judge(ns int64, n uint64) {
	if ns >= eachFrom*int64(n) {
		l.batch, l.gap = 0, 0
		return
	}
	l.widen(max(batchMin, min(8*l.batch, batchMax)))
}

// watch reopens the doubt of a window whose operations are timed each, and have become short:
// the first ones may have opened something.
func (l *lane) watch(ns int64) {
	if l.shorts++; ns >= eachFrom {
		l.shorts = 0
	}
	if l.shorts == probation {
		l.shorts, l.least = 0, 1<<63-1
		l.startAnew(l.last)
		l.window.doubt.Store(true)
	}
}

// widen begins a batch.
func (l *lane) widen(batch uint64) {
	l.batch, l.gap = batch, batch
	if !l.window.batched.Load() {
		l.window.batched.Store(true)
	}
}

// endBatch takes a batch whose operations are all done.
func (l *lane) endBatch(now int64) {
	ns, n := now-l.last, l.batch
	l.least = min(l.least, ns/int64(n))
	l.sample(now)
	l.follow(now)
	if l.doubts() {
		l.judge(ns, n)
		return
	}
	l.batch, l.gap = 0, l.draw()
}

// follow takes up a change of the window's spacing, or brings it about: while
// it is in doubt, the first goroutine that has seen enough decides. What was
// timed before has another weight and is dropped: it then reports true.
func (l *lane) follow(now int64) bool {
	if ops := l.ops - l.opsBefore; l.doubts() && ops >= probation {
		l.window.decide(l.working((now - l.before) / int64(ops)))
	}
	g := l.window.generation.Load()
	if g == l.generation {
		return false
	}
	l.generation, l.spacing, l.count = g, l.window.spacing.Load(), 0
	l.startAnew(now)
	return true
}

// startAnew leaves what came before to no latency.
func (l *lane) startAnew(now int64) {
	l.dropped += l.ops - l.opsBefore
	l.before, l.opsBefore = now, l.ops
}

// working is what an operation takes without the waits, which are no reason to time
// each: the mean, or what is usual if that is far less. Where even that is long,
// it may be nothing but waiting for the other goroutines.
func (l *lane) working(mean int64) int64 {
	u := l.least
	if l.batch == 0 && l.count > 0 {
		u = min(u, usual(l.latencies[:l.count]))
	}
	if mean/2 > u {
		mean = u
	}
	if mean < eachFrom {
		return mean
	}
	return l.window.share(mean)
}

// decide sets the spacing for operations of mean nanoseconds. Where some were
// timed as a whole, those that were timed by themselves are no fair sample.
func (w *window) decide(mean int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.doubt.Load() {
		return
	}
	w.doubt.Store(false)
	s := w.spacingFor(mean)
	if s == 0 && !w.batched.Load() {
		return
	}
	if w.totals.hist.Count() > 0 {
		w.totals.hist.Reset()
	}
	w.spacing.Store(s)
	w.generation.Add(1)
}
