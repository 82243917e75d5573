package trials

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/tidwall/wal"
)

// RivalGet is a full log that nobody writes to, and random reads of it.
func RivalGet() harness.Experiment {
	payload := payloadFactor()
	payload.Default = "128"
	promise := results.Promise{Order: "none", Result: "linearizable", Survives: logs.Nothing} // a read leaves nothing
	return harness.Experiment{
		Name:       "rival-get",
		Question:   "What does a random Get cost from a log larger than the processor's cache, ours and tidwall's?",
		Unit:       "get",
		Factors:    []harness.Factor{payload, getStoredFactor()},
		Goroutines: []int{1, 8},
		Variants: []harness.Variant{
			getVariant("file", "ours: commitlog.OpenFile, into the caller's buffer, checksum verified", promise, fullOurs),
			getVariant("tidwall", "tidwall/wal, all segments cached: a copy, no checksum", promise, fullTidwall(false)),
			getVariant("tidwall-nocopy", "tidwall/wal, all segments cached: a slice of the log's memory, no checksum", promise, fullTidwall(true)),
		},
	}
}

// pastCache is the level of stored that follows the processor.
const pastCache = "past-cache"

func getStoredFactor() harness.Factor {
	return harness.Factor{
		Name: "stored", About: "entries that the log holds; past-cache: four times the processor's last cache, 1,048,576 at least",
		Default: pastCache, Check: checkStored,
	}
}

func checkStored(level string) error {
	if level == pastCache {
		return nil
	}
	return harness.Between(1, 1<<26)(level)
}

// storedEntries is how many entries of a payload the level asks for.
func storedEntries(level string, payload int) (uint64, error) {
	if level != pastCache {
		return strconv.ParseUint(level, 10, 64)
	}
	cache, err := cacheSize()
	return max(1<<20, uint64(4*cache)/uint64(recordSize(payload))+1), err
}

// A full log is one to read from.
type full struct {
	reader func(indices) harness.Operation // each reads a random entry
	close  func() error
}

func getVariant(name, about string, promise results.Promise, open func(dir string, value []byte, entries uint64) (full, error)) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		value := workload.Payload(s)
		entries, err := storedEntries(s.Factors["stored"], len(value))
		if err != nil {
			return harness.Instance{}, err
		}
		log, err := open(logs.Within(s.Dir), value, entries)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return log.reader(newIndices(entries, s.Seed, g, len(value))) },
			Close:  log.close,
		}, err
	}}
}

// Indices draws them, and checks the values that are read. It takes few
// instructions, and its callers get by with one call: what lies between two Gets
// is what keeps them from waiting for memory together.
type indices struct {
	state   uint64 // of xorshift64, never zero
	entries uint64
	size    int // of each value
}

func newIndices(entries, seed uint64, g, size int) indices {
	return indices{rand.New(rand.NewPCG(seed, uint64(g))).Uint64() | 1, entries, size}
}

// next draws an index from 0 on.
func (x *indices) next() uint64 {
	x.state ^= x.state << 13
	x.state ^= x.state >> 7
	x.state ^= x.state << 17
	index, _ := bits.Mul64(x.state, x.entries)
	return index
}

func (x *indices) check(value []byte, err error) error {
	if err == nil && len(value) != x.size {
		return x.wrong(value)
	}
	return err
}

func (x *indices) wrong(value []byte) error {
	return fmt.Errorf("an entry of %d bytes, not of %d", len(value), x.size)
}

// batch is how many entries fill a log at a time.
const batch = 1 << 12

func fullOurs(dir string, value []byte, entries uint64) (full, error) {
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{})
	values := logs.Repeated(value, batch)
	for err == nil && log.Next() < entries {
		_, err = log.AppendBatch(values[:min(batch, entries-log.Next())])
	}
	reader := func(x indices) harness.Operation {
		buf := make([]byte, 0, x.size)
		return func() error {
			entry, err := log.GetInto(x.next(), buf)
			return x.check(entry.Value, err)
		}
	}
	return full{reader, log.Close}, err
}

func fullTidwall(noCopy bool) func(dir string, value []byte, entries uint64) (full, error) {
	return func(dir string, value []byte, entries uint64) (full, error) {
		return openFullTidwall(dir, value, entries, noCopy)
	}
}

func openFullTidwall(dir string, value []byte, entries uint64, noCopy bool) (full, error) {
	options := logs.TidwallReadOptions()
	options.NoCopy = noCopy
	log, err := wal.Open(dir, options)
	few := new(wal.Batch)
	for index := uint64(1); index <= entries && err == nil; index++ {
		few.Write(index, value)
		if index%batch == 0 || index == entries {
			err = log.WriteBatch(few)
		}
	}
	reader := func(x indices) harness.Operation {
		return func() error { return x.check(log.Read(x.next() + 1)) }
	}
	return full{reader, log.Close}, err
}
