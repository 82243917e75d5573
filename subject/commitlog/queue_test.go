package commitlog

import "testing"

// While the goroutine of the queue hands over a run, another takes what gathered
// meanwhile, and the log is closed: the inner log must not be closed before it has
// that. Which of the two sees the queue first is chance, hence the rounds.
func TestAsyncCloseWaitsForEveryRun(t *testing.T) {
	for range 30 {
		inner := newGated()
		q := NewAsync(inner, AsyncOptions{Queue: 100})
		mustAppend(t, q, "first")
		for len(q.handing) == 0 { // until the goroutine has it
			q.turn.Leave()
		}
		mustAppend(t, q, "second")
		handed := make(chan struct{})
		go func() {
			defer close(handed)
			q.handOver(func() bool { return len(q.waiting.ends) > 0 })
		}()
		closed := make(chan error, 1)
		go func() { closed <- q.Close() }()
		waitFor(q.closed.Load)
		next := q.turn.Take() // both have to wait for it once the first run is done
		inner.open(1)
		waitFor(func() bool { return q.applied.Load() == 1 })
		q.turn.Give(next)
		waitFor(inner.isClosed)
		inner.open(1)
		if err := <-closed; err != nil {
			t.Fatal(err)
		}
		<-handed
		if inner.Memory.Next() != 2 || !inner.isClosed() {
			t.Fatalf("the inner log has %d of two entries", inner.Memory.Next())
		}
	}
}

// isClosed reports whether the memory behind the gate was closed.
func (g *gatedLog) isClosed() bool {
	next := g.turn.Take()
	defer g.turn.Give(next)
	return g.closed
}

// What gathers goes into the inner log as one batch: as many empty values as a queue
// can hold, with the largest one behind them, are not too large for that.
func TestAsyncBatchIsNeverTooLarge(t *testing.T) {
	q := NewAsync(OpenMemory(MemoryOptions{}), AsyncOptions{Queue: 1 << 30})
	var r run
	for len(r.ends) < q.limit-1 && len(r.ends) < 1<<23 {
		r.add(nil)
	}
	r.add(make([]byte, MaxValueSize))
	if size, err := batchSize(r.split()); err != nil {
		t.Errorf("%d entries may wait; a batch of them is %d bytes: %v", q.limit, size, err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
