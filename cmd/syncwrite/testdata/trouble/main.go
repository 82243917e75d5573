// Command trouble is the command over operations that do what none should.
package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func main() {
	fmt.Println("a line before the command")
	os.Exit(cmd.Main([]harness.Experiment{trouble(), worse(), process(), traced(), apart()}, os.Args[1:]))
}

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

// worse are operations that spoil what others have, or what the process has.
func worse() harness.Experiment {
	variants := []harness.Variant{
		late("moves", func() error { return os.Chdir("/") }),
		late("keeps-stdout", func() error {
			c := exec.Command("sleep", "60")
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			c.Start()
			os.Exit(3)
			return nil
		}),
		late("closes-stdin", func() error { return os.Stdin.Close() }),
		late("ends-itself", func() error {
			self, err := os.FindProcess(os.Getpid())
			if err != nil {
				return err
			}
			return self.Signal(syscall.SIGTERM)
		}),
		late("typed-nil", func() error { var e *nothing; return e }),
		late("mute", func() error { return mute{} }),
		harness.Func("talks", promise, func() error { fmt.Fprintln(log, "panic: no panic at all"); return nil }),
		{Name: "at-four", Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
			if s.Goroutines == 4 {
				return harness.Instance{}, errors.New("level four")
			}
			return harness.Instance{Worker: func(int) harness.Operation { return func() error { return nil } }}, nil
		}},
		harness.Func("fine", promise, func() error { return nil }),
	}
	rand.Shuffle(len(variants), func(i, j int) { variants[i], variants[j] = variants[j], variants[i] })
	return harness.Experiment{Name: "worse", Question: "What becomes of the others?", Goroutines: []int{1, 4}, Variants: variants}
}

// traced are operations that do what none should while they are traced alone.
func traced() harness.Experiment {
	then := func(name string, op func() error) harness.Variant {
		return harness.Func(name, promise, func() error {
			if trace.IsEnabled() {
				return op()
			}
			return nil
		})
	}
	return harness.Experiment{
		Name: "traced", Question: "What becomes of the trials?", Goroutines: []int{2},
		Variants: []harness.Variant{
			then("blocks", func() error { select {} }),
			then("exits", func() error { os.Exit(7); return nil }),
			then("fails", func() error { return errors.New("planted") }),
			then("fine", func() error { return nil }),
		},
	}
}

// process are operations that do something to the process they are in.
func process() harness.Experiment {
	return harness.Experiment{
		Name: "process", Question: "What becomes of the trial?", Goroutines: []int{1},
		Variants: []harness.Variant{
			third("stops", stop),
			harness.Func("starts", promise, func() error {
				if value, set := os.LookupEnv("SYNCWRITE_MEASURE"); set {
					return errors.New("what it starts would measure for " + value)
				}
				return nil
			}),
		},
	}
}

// apart writes down in which process each instance is opened.
func apart() harness.Experiment {
	return harness.Experiment{
		Name: "apart", Question: "In which process?", Goroutines: []int{1},
		Variants: []harness.Variant{{Name: "tells", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
			file, err := os.OpenFile(os.Getenv("PIDS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				return harness.Instance{}, err
			}
			_, err = fmt.Fprintln(file, os.Getpid())
			return harness.Instance{Worker: func(int) harness.Operation { return func() error { return nil } }}, errors.Join(err, file.Close())
		}}},
	}
}

// stop has this process stopped for longer than its trial may take, and has not
// returned when the process goes on.
func stop() error {
	err := exec.Command("sh", "-c", "kill -STOP $PPID; sleep 3.5; kill -CONT $PPID").Run()
	for range 20 {
		time.Sleep(time.Millisecond)
	}
	return err
}

// log writes to what was stdout when the program started.
var log = os.Stdout

type nothing struct{ text string }

func (n *nothing) Error() string { return n.text }

// mute never says what it is.
type mute struct{}

func (mute) Error() string { select {} }

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

// third does what it is given once: when it is opened for the third time.
func third(name string, what func() error) harness.Variant {
	opened := 0
	return harness.Variant{Name: name, Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		opened++
		done := false
		return harness.Instance{Worker: func(int) harness.Operation {
			return func() error {
				if opened == 3 && !done {
					done = true
					return what()
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
