package experiments

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
)

// turns are the pairs of one trial whose partners are goroutines. Every
// partner counts the turns it got.
type turns struct {
	ending sync.WaitGroup
	pairs  []*pair
}

// A pair is one goroutine's partner: how it is ended, and what it saw.
type pair struct {
	end func()
	got int
	_   [112]byte // no two partners' counters on one cache line
}

// start runs a partner until end is called.
func (t *turns) start(end func(), partner func(p *pair)) {
	p := &pair{end: end}
	t.pairs = append(t.pairs, p)
	t.ending.Go(func() { partner(p) })
}

// Close ends the partners and waits for them.
func (t *turns) Close() error {
	for _, p := range t.pairs {
		p.end()
	}
	t.ending.Wait()
	return nil
}

// instance counts, once the partners have ended, whether they got every turn.
func (t *turns) instance(worker func(g int) harness.Operation) harness.Instance {
	var once sync.Once
	end := func() error { once.Do(func() { t.Close() }); return nil }
	return harness.Instance{Worker: worker, Close: end, Check: func(ops int) error {
		end()
		got := 0
		for _, p := range t.pairs {
			got += p.got
		}
		if got != ops {
			return fmt.Errorf("the partners got %d turns of %d", got, ops)
		}
		return nil
	}}
}

// openChannels hands the turn over one channel and takes it back over another.
func openChannels(capacity int) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		t := new(turns)
		return t.instance(func(int) harness.Operation {
			there, back := make(chan struct{}, capacity), make(chan struct{}, capacity)
			t.start(func() { close(there) }, func(p *pair) {
				for range there {
					p.got++
					back <- struct{}{}
				}
			})
			return func() error { there <- struct{}{}; <-back; return nil }
		}), nil
	}
}

// Whose turn it is.
const (
	mine = iota
	theirs
	nobodys
)

func openCond(harness.Setup) (harness.Instance, error) {
	t := new(turns)
	return t.instance(func(int) harness.Operation {
		mu := new(sync.Mutex)
		changed, turn := sync.NewCond(mu), mine
		give := func(to int) {
			turn = to
			changed.Signal()
		}
		end := func() { mu.Lock(); give(nobodys); mu.Unlock() }
		t.start(end, func(p *pair) {
			mu.Lock()
			defer mu.Unlock()
			for {
				for turn == mine {
					changed.Wait()
				}
				if turn == nobodys {
					return
				}
				p.got++
				give(mine)
			}
		})
		return func() error {
			mu.Lock()
			give(theirs)
			for turn != mine {
				changed.Wait()
			}
			mu.Unlock()
			return nil
		}
	}), nil
}

func openYield(harness.Setup) (harness.Instance, error) {
	t := new(turns)
	return t.instance(func(int) harness.Operation {
		turn := new(atomic.Int32)
		t.start(func() { turn.Store(nobodys) }, func(p *pair) {
			for {
				switch turn.Load() {
				case theirs:
					p.got++
					turn.Store(mine)
				case nobodys:
					return
				}
				runtime.Gosched()
			}
		})
		return func() error {
			turn.Store(theirs)
			for turn.Load() != mine {
				runtime.Gosched()
			}
			return nil
		}
	}), nil
}
