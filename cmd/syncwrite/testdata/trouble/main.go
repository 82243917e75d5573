// Command trouble is the command over operations that do what none should.
package main

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func main() { os.Exit(cmd.Main([]harness.Experiment{trouble()}, os.Args[1:])) }

var promise = results.Promise{Order: "none", Result: "independent", Survives: "nothing"}

func trouble() harness.Experiment {
	return harness.Experiment{
		Name: "trouble", Question: "What becomes of the others?", Goroutines: []int{2},
		Variants: []harness.Variant{
			harness.Func("fine", promise, func() error { return nil }),
			late("blocks", func() error { select {} }),
			later(),
			late("spins", func() error {
				for {
				}
			}),
			late("panics", func() error { panic("planted") }),
			late("panics-elsewhere", func() error {
				go func() { panic("planted elsewhere") }()
				select {}
			}),
			late("exits", func() error { os.Exit(7); return nil }),
			late("leaves", func() error { runtime.Goexit(); return nil }),
			holds(),
			closing(),
			harness.Func("last", promise, func() error { return nil }),
		},
	}
}

// late does well for the first operations of a trial, and then what it is
// given.
func late(name string, then func() error) harness.Variant {
	return harness.Variant{Name: name, Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		var done atomic.Int64
		return harness.Instance{Worker: func(int) harness.Operation {
			return func() error {
				if done.Add(1) > 50 {
					return then()
				}
				return nil
			}
		}}, nil
	}}
}

// later blocks when it is opened for the third time.
func later() harness.Variant {
	opened := 0
	return harness.Variant{Name: "blocks-later", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		opened++
		return harness.Instance{Worker: func(int) harness.Operation {
			return func() error {
				if opened == 3 {
					select {}
				}
				return nil
			}
		}}, nil
	}}
}

// holds fails with a lock in its hand, for which the others wait.
func holds() harness.Variant {
	return harness.Variant{Name: "holds", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		var mu sync.Mutex
		n := 0
		return harness.Instance{Worker: func(int) harness.Operation {
			return func() error {
				mu.Lock()
				if n++; n > 50 {
					return errors.New("planted, with the lock")
				}
				mu.Unlock()
				return nil
			}
		}}, nil
	}}
}

// closing works, and never closes.
func closing() harness.Variant {
	return harness.Variant{Name: "closing", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		return harness.Instance{
			Worker: func(int) harness.Operation { return func() error { return nil } },
			Close:  func() error { select {} },
		}, nil
	}}
}
