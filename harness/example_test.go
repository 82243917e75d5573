package harness_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A closure is measured as it is; Run returns the trials.
func ExampleRun() {
	var mu sync.Mutex
	var counter int
	increment := harness.Func("mutex", results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"},
		func() error { mu.Lock(); counter++; mu.Unlock(); return nil })

	config := harness.Config{Goroutines: []int{1, 2}, Trials: 2, Window: time.Millisecond, Dir: os.TempDir()}
	run, err := harness.Run(context.Background(), config, harness.Experiment{
		Name: "counter", Question: "What does a mutex cost?", Variants: []harness.Variant{increment},
	})
	fmt.Println(len(run.Trials), "trials of", run.Trials[0].Variant, err)
	// Output: 4 trials of mutex <nil>
}
