// Command own is syncwrite with an experiment of one's own beside ours: all
// verbs, flags, formats and exit codes are there.
//
//	go run ./examples/own list
//	go run ./examples/own run random --quick
package main

import (
	"math/rand/v2"
	"os"
	"sync"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func main() { os.Exit(cmd.Main(catalogue(), os.Args[1:])) }

func catalogue() []harness.Experiment { return append(experiments.Catalogue(), random()) }

// random asks what sharing a generator of random numbers costs.
func random() harness.Experiment {
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	own := harness.Func("runtime", promise, func() error { rand.Uint64(); return nil })
	own.About = "the top-level functions, which ask the runtime"
	return harness.Experiment{
		Name: "random", Question: "What does sharing a random generator cost?", Unit: "number",
		Variants: []harness.Variant{own, {
			Name: "mutex", About: "one PCG under a mutex", Promise: promise, Open: openShared,
		}},
	}
}

// openShared makes a fresh generator for every trial. The guard tells how long
// its lock was held.
func openShared(s harness.Setup) (harness.Instance, error) {
	lock := s.Guard(new(sync.Mutex))
	generator := rand.NewPCG(s.Seed, 0)
	draw := func() error {
		lock.Lock()
		defer lock.Unlock()
		generator.Uint64()
		return nil
	}
	return harness.Instance{Worker: func(int) harness.Operation { return draw }}, nil
}
