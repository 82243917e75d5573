package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

func Example() {
	var text strings.Builder
	err := measure(&text, harness.Config{Goroutines: []int{1, 2}, Window: time.Millisecond, Dir: os.TempDir()})
	question, _, _ := strings.Cut(text.String(), "\n")
	fmt.Println(question, err)
	// Output: counter: What does a mutex cost? <nil>
}
