package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/tidwall/wal"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// stored is how many entries the log holds that rival-get reads: of 1 KiB, 64
// MiB of values.
const stored = 1 << 16

// rivalGet is a full log that nobody writes to, and random reads of it.
func rivalGet() harness.Experiment {
	promise := results.Promise{Order: "none", Result: "linearizable", Survives: nothing} // a read leaves nothing
	return harness.Experiment{
		Name:       "rival-get",
		Question:   "What does a random Get from a log of 65,536 entries cost, ours and tidwall's?",
		Unit:       "get",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
		Variants: []harness.Variant{
			getVariant("file", "ours: commitlog.OpenFile", promise, fullOurs),
			getVariant("tidwall", "tidwall/wal, all segments cached, values copied", promise, fullTidwall),
		},
	}
}

// A full log is one to read from, by index from 0.
type full struct {
	get   func(index uint64) ([]byte, error)
	close func() error
}

func getVariant(name, about string, promise results.Promise, open func(dir string, value []byte) (full, error)) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		value := payloadOf(s)
		log, err := open(within(s.Dir), value)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return randomGet(log, s.Seed, g, len(value)) },
			Close:  log.close,
		}, err
	}}
}

func randomGet(log full, seed uint64, g, size int) harness.Operation {
	random := rand.New(rand.NewPCG(seed, uint64(g)))
	return func() error {
		index := random.Uint64N(stored)
		value, err := log.get(index)
		if err == nil && len(value) != size {
			err = fmt.Errorf("entry %d holds %d bytes, %d were appended", index, len(value), size)
		}
		return err
	}
}

func fullOurs(dir string, value []byte) (full, error) {
	log, err := commitlog.OpenFile(dir, commitlog.FileOptions{})
	for i := 0; i < stored && err == nil; i++ {
		_, err = log.Append(value)
	}
	get := func(index uint64) ([]byte, error) {
		entry, err := log.Get(index)
		return entry.Value, err
	}
	return full{get, log.Close}, err
}

// fullTidwall raises SegmentCacheSize, which its documentation advises for
// reads, so that no read waits for a segment to be loaded.
func fullTidwall(dir string, value []byte) (full, error) {
	options := tidwallOptions(true)
	options.SegmentCacheSize = 64
	log, err := wal.Open(dir, options)
	for i := uint64(1); i <= stored && err == nil; i++ {
		err = log.Write(i, value)
	}
	get := func(index uint64) ([]byte, error) { return log.Read(index + 1) }
	return full{get, log.Close}, err
}
