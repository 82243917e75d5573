package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/results"
)

// A rival is a log that somebody can use, at one promise: ours are rivals, too,
// so that all are measured by the same code.
type rival struct {
	name, about string
	promise     results.Promise
	// open makes the log in dir, which exists, for so many goroutines.
	open func(dir string, writers int) (appender, error)
	// scan opens the log in dir afresh and hands over what it holds, in the
	// log's order. An error ends it.
	scan func(dir string, each func(value []byte) error) error
}

// An appender is a log as its writers see it. Append returns when the promise
// holds for the value, and is called from any number of goroutines.
type appender interface {
	Append(value []byte) error
	Close() error
}

// A store is a log that is read by index, too.
type store interface {
	appender
	// Add is an append that tells where the value went: the log's own number.
	Add(value []byte) (index uint64, err error)
	// Fetch returns the value at an index that Add gave. It may use buf for it,
	// and its caller must not change it.
	Fetch(index uint64, buf []byte) ([]byte, error)
}

// A finisher acknowledges before its promise is worth anything. Finish returns
// when all that was acknowledged is where it belongs; the window includes it.
type finisher interface{ Finish() error }

// Promises of an acknowledged append.
const (
	nothing      = "nothing"
	processCrash = "process-crash"
	powerCut     = "power-cut"
)

// ordered is the promise of a log that appends one after another.
func ordered(survives string) results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: survives}
}

// keyed is the promise of a store whose user draws the next key and then puts
// it: a later key can be there before an earlier one.
func keyed(survives string) results.Promise {
	return results.Promise{Order: "none", Result: "unique", Survives: survives}
}

func rivals() []rival {
	var all []rival
	for _, few := range [][]rival{
		ours(), naiveRivals(), tidwallRivals(), raftRivals(), etcdRivals(), leveldbRivals(),
		pebbleRivals(), bboltRivals(), badgerRivals(), prometheusRivals(),
	} {
		all = append(all, few...)
	}
	return all
}

func payloadFactor() harness.Factor {
	return harness.Factor{Name: "payload", About: "bytes of a value", Default: "3", Check: harness.Between(0, largest)}
}

// rivalLog is one log, N goroutines, and every rival at it.
func rivalLog() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-log",
		Question:   "How does our log compare with other people's, at equal promises?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
	}
	for _, r := range rivals() {
		e.Variants = append(e.Variants, r.variant())
	}
	return e
}

// largest payload in bytes: the least that a rival takes in one piece, which is
// badger's value threshold.
const largest = 1 << 20

// variant measures the rival. The first append of a log, which makes its files
// ready, comes before the window, so that a window is of appends alone however
// short it is. The check closes the log, opens it again and reads all of it.
func (r rival) variant() harness.Variant { return r.variantOf(1) }

// variantOf is variant for a log whose every append adds so many entries.
func (r rival) variantOf(entries int) harness.Variant {
	return harness.Variant{Name: r.name, About: r.about, Promise: r.promise, Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := r.open(s.Dir, s.Goroutines)
		if err != nil {
			return harness.Instance{}, err
		}
		value := workload.Payload(s)
		if err := log.Append(value); err != nil {
			return harness.Instance{}, errors.Join(err, log.Close())
		}
		once := &closeOnce{log: log}
		instance := harness.Instance{
			Worker: func(int) harness.Operation { return func() error { return log.Append(value) } },
			Check: func(ops int) error {
				if err := once.Close(); err != nil {
					return err
				}
				return r.holds(s.Dir, entries*(1+ops), value)
			},
			Close: once.Close,
		}
		if last, ok := log.(finisher); ok {
			instance.Finish = last.Finish
		}
		return instance, nil
	}}
}

// closeOnce lets the check close the log before the harness does.
type closeOnce struct {
	log    appender
	closed bool
}

func (c *closeOnce) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return c.log.Close()
}

// holds reports whether the log in dir is so many times the value.
func (r rival) holds(dir string, ops int, value []byte) error {
	found := 0
	err := r.scan(dir, func(got []byte) error {
		if !bytes.Equal(got, value) {
			return fmt.Errorf("entry %d holds %d bytes that were not appended", found, len(got))
		}
		found++
		return nil
	})
	if err == nil && found != ops {
		err = fmt.Errorf("the log holds %d entries after %d appends", found, ops)
	}
	return err
}

// keys are what users of a key-value store keep a log under: an index that
// counts up, big-endian, so that the keys' order is the log's.
type keys struct{ last atomic.Uint64 }

func (k *keys) draw() uint64 { return k.last.Add(1) }

func (k *keys) next() []byte { return key(k.draw()) }

func key(index uint64) []byte { return binary.BigEndian.AppendUint64(nil, index) }

// within is a path in the directory of a trial.
func within(dir string) string { return filepath.Join(dir, "log") }
