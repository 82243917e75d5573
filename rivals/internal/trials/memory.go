package trials

import (
	"bytes"
	"fmt"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// RivalMemory is our log in memory against a slice under a lock.
func RivalMemory() harness.Experiment {
	return harness.Experiment{
		Name:       "rival-memory",
		Question:   "How does our log in memory compare with a slice under a lock?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 2, 8, 64},
		Variants: []harness.Variant{
			memoryVariant("memory", "ours: commitlog.OpenMemory", openMemory),
			memoryVariant("naive-memory", "a slice under a RWMutex; it keeps the slice it is given", openNaiveMemory),
		},
	}
}

// A memoryLog is a log that ends with its process.
type memoryLog struct {
	add func(value []byte) error
	get func(index int) ([]byte, error)
	end func() error
}

func openMemory() (memoryLog, error) {
	log := commitlog.OpenMemory(commitlog.MemoryOptions{})
	return memoryLog{
		add: func(value []byte) error { _, err := log.Append(value); return err },
		get: func(index int) ([]byte, error) { entry, err := log.Get(uint64(index)); return entry.Value, err },
		end: log.Close,
	}, nil
}

func openNaiveMemory() (memoryLog, error) {
	log := new(naive.InMemoryLog)
	get := func(index int) ([]byte, error) {
		entry, err := log.Get(index)
		if err != nil {
			return nil, err
		}
		return entry.Value, nil
	}
	return memoryLog{log.Append, get, log.Close}, log.Open("")
}

func memoryVariant(name, about string, open func() (memoryLog, error)) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: logs.Ordered(logs.Nothing), Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := open()
		value := workload.Payload(s)
		return harness.Instance{
			Worker: func(int) harness.Operation { return func() error { return log.add(value) } },
			Check:  func(ops int) error { return log.holds(ops, value) },
			Close:  log.end,
		}, err
	}}
}

// holds reports whether the log is so many times the value.
func (l memoryLog) holds(ops int, value []byte) error {
	for index := range ops {
		got, err := l.get(index)
		if err != nil {
			return fmt.Errorf("after %d appends: %w", ops, err)
		}
		if !bytes.Equal(got, value) {
			return fmt.Errorf("entry %d holds %d bytes that were not appended", index, len(got))
		}
	}
	if _, err := l.get(ops); err == nil {
		return fmt.Errorf("the log holds more than the %d entries that were appended", ops)
	}
	return nil
}
