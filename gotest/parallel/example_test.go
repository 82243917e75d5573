package parallel_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/gotest/parallel"
)

// A sleep of a millisecond takes a millisecond, however many goroutines sleep.
func ExampleRun() {
	r := testing.Benchmark(func(b *testing.B) {
		parallel.Run(b, 8, func(pb *parallel.PB) {
			for pb.Next() {
				time.Sleep(time.Millisecond)
			}
		})
	})
	fmt.Println("goroutines:", r.Extra["goroutines"])
	fmt.Println("an operation took at least a millisecond:", r.Extra["ns/op"] >= 1e6)
	fmt.Println("go test would have said that it took less:", r.Extra["wall-ns/op"] < r.Extra["ns/op"])
	// Output:
	// goroutines: 8
	// an operation took at least a millisecond: true
	// go test would have said that it took less: true
}
