package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func Example() {
	var text, kept strings.Builder
	err := measure(&text, &kept, harness.Config{Goroutines: []int{1, 2}, Window: time.Millisecond, Dir: os.TempDir()})
	run, readErr := results.Read(strings.NewReader(kept.String()), "closure.jsonl")
	if err != nil || readErr != nil {
		fmt.Println(err, readErr)
		return
	}
	fmt.Println(strings.Contains(text.String(), "counter: What does a mutex cost?"), len(run.Trials))
	// Output: true 12
}
