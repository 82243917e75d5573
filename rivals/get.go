package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/tidwall/wal"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// rivalGet is a full log that nobody writes to, and random reads of it.
func rivalGet() harness.Experiment {
	payload := payloadFactor()
	payload.Default = "128"
	promise := results.Promise{Order: "none", Result: "linearizable", Survives: nothing} // a read leaves nothing
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
	return between(1, 1<<26)(level)
}

// storedEntries is how many entries of a payload the level asks for.
func storedEntries(level string, payload int) (uint64, error) {
	if level != pastCache {
		return strconv.ParseUint(level, 10, 64)
	}
	cache, err := cacheSize()
	return max(1<<20, uint64(4*cache)/uint64(recordSize(payload))+1), err
}

// A full log is one to read from, by index from 0.
type full struct {
	get   func(index uint64, buf []byte) ([]byte, error)
	close func() error
}

func getVariant(name, about string, promise results.Promise, open func(dir string, value []byte, entries uint64) (full, error)) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		value := payloadOf(s)
		entries, err := storedEntries(s.Factors["stored"], len(value))
		if err != nil {
			return harness.Instance{}, err
		}
		log, err := open(within(s.Dir), value, entries)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return randomGet(log, entries, s.Seed, g, len(value)) },
			Close:  log.close,
		}, err
	}}
}

func randomGet(log full, entries, seed uint64, g, size int) harness.Operation {
	random := rand.New(rand.NewPCG(seed, uint64(g)))
	buf := make([]byte, 0, size)
	return func() error {
		index := random.Uint64N(entries)
		value, err := log.get(index, buf)
		if err == nil && len(value) != size {
			err = fmt.Errorf("entry %d holds %d bytes, %d were appended", index, len(value), size)
		}
		return err
	}
}

// batch is how many entries fill a log at a time.
const batch = 1 << 12

func fullOurs(dir string, value []byte, entries uint64) (full, error) {
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{})
	values := repeated(value, batch)
	for err == nil && log.Next() < entries {
		_, err = log.AppendBatch(values[:min(batch, entries-log.Next())])
	}
	get := func(index uint64, buf []byte) ([]byte, error) { return valueInto(log, index, buf) }
	return full{get, log.Close}, err
}

func fullTidwall(noCopy bool) func(dir string, value []byte, entries uint64) (full, error) {
	return func(dir string, value []byte, entries uint64) (full, error) {
		return openFullTidwall(dir, value, entries, noCopy)
	}
}

func openFullTidwall(dir string, value []byte, entries uint64, noCopy bool) (full, error) {
	options := tidwallReadOptions()
	options.NoCopy = noCopy
	log, err := wal.Open(dir, options)
	few := new(wal.Batch)
	for index := uint64(1); index <= entries && err == nil; index++ {
		few.Write(index, value)
		if index%batch == 0 || index == entries {
			err = log.WriteBatch(few)
		}
	}
	get := func(index uint64, _ []byte) ([]byte, error) { return log.Read(index + 1) }
	return full{get, log.Close}, err
}
