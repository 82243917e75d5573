package workload

import (
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/harness"
)

// A Counter is incremented by many goroutines. A read that begins after an
// increment has returned counts it. One that has to be closed is an io.Closer;
// the window then ends with a read, which waits for what is under way.
type Counter interface {
	// Incrementer returns the increment of one goroutine (0 … N-1).
	Incrementer(goroutine int) harness.Operation
	Value() int
}

// CounterVariant measures a counter that promises to lose nothing.
func CounterVariant(name, about string, open func(goroutines int) Counter) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised(), Open: func(s harness.Setup) (harness.Instance, error) {
		c := open(s.Goroutines)
		i := harness.Instance{Worker: c.Incrementer, Check: func(ops int) error { return counts(c, ops) }}
		if owned, ok := c.(io.Closer); ok {
			i.Finish = func() error { c.Value(); return nil }
			i.Close = owned.Close
		}
		return i, nil
	}}
}

// counts reports a counter that does not stand at the operations that were done.
func counts(c Counter, ops int) error {
	if got := c.Value(); got != ops {
		return fmt.Errorf("the counter stands at %d after %d increments", got, ops)
	}
	return nil
}
