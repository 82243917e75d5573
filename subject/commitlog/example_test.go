package commitlog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

func Example() {
	dir, err := os.MkdirTemp("", "commitlog")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "events.log")

	log, err := commitlog.OpenFile(path, commitlog.FileOptions{Durability: commitlog.Always})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, event := range []string{"created", "paid", "sent"} {
		index, err := log.Append([]byte(event))
		fmt.Println(index, err)
	}
	fmt.Println(log.Close())

	log, err = commitlog.OpenFile(path, commitlog.FileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	entry, err := log.Get(1)
	fmt.Printf("%s %v\n", entry.Value, err)
	_, err = log.Get(3)
	fmt.Println(err, errors.Is(err, commitlog.ErrNotFound))
	// Output:
	// 0 <nil>
	// 1 <nil>
	// 2 <nil>
	// <nil>
	// paid <nil>
	// get entry 3: no such entry true
}

func ExampleOpenMemory() {
	log := commitlog.OpenMemory(commitlog.MemoryOptions{})
	defer log.Close()
	value := []byte("foo")
	index, _ := log.Append(value)
	value[0] = 'g' // the log has its own copy
	entry, _ := log.Get(index)
	fmt.Printf("%d %s\n", entry.Index, entry.Value)
	// Output: 0 foo
}

func ExampleNewAsync() {
	log := commitlog.NewAsync(commitlog.OpenMemory(commitlog.MemoryOptions{}), commitlog.AsyncOptions{Queue: 16})
	for _, event := range []string{"created", "paid", "sent"} {
		log.Append([]byte(event)) // returns before the inner log has it
	}
	entry, err := log.Get(2) // waits until it has
	fmt.Printf("%s %v\n", entry.Value, err)
	fmt.Println(log.Flush())
	fmt.Println(log.Close())
	fmt.Println(log.Close())
	// Output:
	// sent <nil>
	// <nil>
	// <nil>
	// close log: log is closed
}
