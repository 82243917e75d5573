package commitlog

import "sync"

// A helper is a goroutine that does beside the appends what can be done beside them.
type helper struct {
	poked    chan struct{}
	stopping chan struct{}
	done     sync.WaitGroup
}

// start has the helper call work whenever it is poked.
func (h *helper) start(work func()) {
	h.poked = make(chan struct{}, 1)
	attend(h, h.poked, work)
}

// attend has a helper call work whenever something comes.
func attend[T any](h *helper, comes <-chan T, work func()) {
	h.stopping = make(chan struct{})
	h.done.Go(func() {
		for {
			select {
			case <-h.stopping:
				return
			case <-comes:
				work()
			}
		}
	})
}

// poke never blocks.
func (h *helper) poke() {
	select {
	case h.poked <- struct{}{}:
	default:
	}
}

// stop waits for the work under way. It may be called once.
func (h *helper) stop() {
	if h.stopping != nil {
		close(h.stopping)
		h.done.Wait()
	}
}

// stopped reports whether work that can wait should not be begun.
func (h *helper) stopped() bool { return over(h.stopping) }

// over reports whether a channel was closed on which nothing is sent; one that is nil was not.
func over(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
