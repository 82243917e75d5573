package logs

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

// A Rival is a log that somebody can use, at one promise: ours are rivals, too,
// so that all are measured by the same code.
type Rival struct {
	Name, About string
	Promise     results.Promise
	// open makes the log in dir, which exists, for so many goroutines.
	Open func(dir string, writers int) (Appender, error)
	// Scan opens the log in dir afresh and hands over what it holds, in the
	// log's order. An error ends it.
	Scan func(dir string, each func(value []byte) error) error
}

// An Appender is a log as its writers see it. Append returns when the promise
// holds for the value, and is called from any number of goroutines.
type Appender interface {
	Append(value []byte) error
	Close() error
}

// A Store is a log that is read by index, too.
type Store interface {
	Appender
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
	Nothing      = "nothing"
	ProcessCrash = "process-crash"
	PowerCut     = "power-cut"
)

// Ordered is the promise of a log that appends one after another.
func Ordered(survives string) results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: survives}
}

// keyed is the promise of a store whose user draws the next key and then puts
// it: a later key can be there before an earlier one.
func keyed(survives string) results.Promise {
	return results.Promise{Order: "none", Result: "unique", Survives: survives}
}

// Variant measures the rival. The first append of a log, which makes its files
// ready, comes before the window, so that a window is of appends alone however
// short it is. The check closes the log, opens it again and reads all of it.
func (r Rival) Variant() harness.Variant { return r.VariantOf(1) }

// VariantOf is variant for a log whose every append adds so many entries.
func (r Rival) VariantOf(entries int) harness.Variant {
	return harness.Variant{Name: r.Name, About: r.About, Promise: r.Promise, Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := r.Open(s.Dir, s.Goroutines)
		if err != nil {
			return harness.Instance{}, err
		}
		value := workload.Payload(s)
		if err := log.Append(value); err != nil {
			return harness.Instance{}, errors.Join(err, log.Close())
		}
		once := &CloseOnce{Log: log}
		instance := harness.Instance{
			Worker: func(int) harness.Operation { return func() error { return log.Append(value) } },
			Check: func(ops int) error {
				if err := once.Close(); err != nil {
					return err
				}
				return r.Holds(s.Dir, entries*(1+ops), value)
			},
			Close: once.Close,
		}
		if last, ok := log.(finisher); ok {
			instance.Finish = last.Finish
		}
		return instance, nil
	}}
}

// CloseOnce lets the check close the log before the harness does.
type CloseOnce struct {
	Log    Appender
	closed bool
}

func (c *CloseOnce) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return c.Log.Close()
}

// Holds reports whether the log in dir is so many times the value.
func (r Rival) Holds(dir string, ops int, value []byte) error {
	found := 0
	err := r.Scan(dir, func(got []byte) error {
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

// Within is a path in the directory of a trial.
func Within(dir string) string { return filepath.Join(dir, "log") }
