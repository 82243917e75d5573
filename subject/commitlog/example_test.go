package commitlog_test

import (
	"context"
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
	path := filepath.Join(dir, "events")

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
	file, remove := tempLog(commitlog.FileOptions{Durability: commitlog.Always})
	defer remove()
	log := commitlog.NewAsync(file, commitlog.AsyncOptions{Queue: 16})
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

// tempLog returns a new log in a directory of its own, and what removes both.
func tempLog(options commitlog.FileOptions) (*commitlog.File, func()) {
	dir, err := os.MkdirTemp("", "commitlog")
	if err != nil {
		panic(err)
	}
	log, err := commitlog.OpenFile(filepath.Join(dir, "events"), options)
	if err != nil {
		panic(err)
	}
	return log, func() { log.Close(); os.RemoveAll(dir) }
}

func ExampleFile_AppendBatch() {
	log, remove := tempLog(commitlog.FileOptions{})
	defer remove()
	log.Append([]byte("before"))
	first, err := log.AppendBatch([][]byte{[]byte("order"), []byte("payment")})
	fmt.Println(first, err)
	for entry := range log.Entries(first) {
		fmt.Printf("%d %s\n", entry.Index, entry.Value)
	}
	// Output:
	// 1 <nil>
	// 1 order
	// 2 payment
}

func ExampleFile_NewReader() {
	log, remove := tempLog(commitlog.FileOptions{})
	defer remove()
	go func() {
		for _, event := range []string{"created", "paid", "sent"} {
			log.Append([]byte(event))
		}
	}()
	reader := log.NewReader(0)
	for range 3 {
		entry, err := reader.Next(context.Background()) // waits for it
		fmt.Printf("%d %s %v\n", entry.Index, entry.Value, err)
	}
	// Output:
	// 0 created <nil>
	// 1 paid <nil>
	// 2 sent <nil>
}

func ExampleFile_TruncatePrefix() {
	log, remove := tempLog(commitlog.FileOptions{})
	defer remove()
	for _, event := range []string{"created", "paid", "sent"} {
		log.Append([]byte(event))
	}
	fmt.Println(log.TruncatePrefix(2), log.First(), log.Next())
	_, err := log.Get(0)
	fmt.Println(err)
	// Output:
	// <nil> 2 3
	// get entry 0: no such entry: it was truncated
}

func ExampleVerify() {
	dir, err := os.MkdirTemp("", "commitlog")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{Durability: commitlog.Always})
	if err != nil {
		fmt.Println(err)
		return
	}
	log.AppendBatch([][]byte{[]byte("created"), []byte("paid"), []byte("sent")})
	log.Close()

	found, err := commitlog.Verify(dir)
	fmt.Println(found.First, found.Next, len(found.Damage), err)
	// Output: 0 3 0 <nil>
}

// A reader of many entries lends the log a buffer.
func ExampleFile_GetInto() {
	log, remove := tempLog(commitlog.FileOptions{})
	defer remove()
	for _, value := range []string{"foo", "bar"} {
		if _, err := log.Append([]byte(value)); err != nil {
			panic(err)
		}
	}
	buf := make([]byte, 64)
	for index := range log.Next() {
		entry, err := log.GetInto(index, buf)
		if err != nil {
			panic(err)
		}
		fmt.Println(entry.Index, string(entry.Value))
	}
	// Output:
	// 0 foo
	// 1 bar
}
