package logtest

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

const (
	writers          = 16
	readers          = 4
	appendsPerWriter = 100
)

// An acked append is one whose Append returned without an error.
type acked struct {
	index uint64
	value []byte
}

// CheckConcurrentAppends appends to an empty log from many goroutines: no
// value may be lost, no index given twice or left out, and what one goroutine
// appended must keep its order.
func CheckConcurrentAppends(log commitlog.Log) error {
	acks, err := appendAll(log, nil)
	if err != nil {
		return err
	}
	return checkAcks(log, acks)
}

// appendAll appends from all writers and returns what each one was told. It
// calls told after each append, if it is not nil.
func appendAll(log commitlog.Log, told func(acked)) ([][]acked, error) {
	acks, errs := make([][]acked, writers), make([]error, writers)
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			acks[w], errs[w] = appendSome(log, w, appendsPerWriter, told)
		})
	}
	group.Wait()
	return acks, errors.Join(errs...)
}

// appendSome makes up to n appends and stops at the first error.
func appendSome(log commitlog.Log, writer, n int, told func(acked)) ([]acked, error) {
	var acks []acked
	for i := range n {
		value := fmt.Appendf(nil, "writer %d append %d", writer, i)
		index, err := log.Append(value)
		if err != nil {
			return acks, err
		}
		acks = append(acks, acked{index, value})
		if told != nil {
			told(acks[len(acks)-1])
		}
	}
	return acks, nil
}

// checkAcks checks that the log holds what was acknowledged and nothing else.
func checkAcks(log commitlog.Log, acks [][]acked) error {
	values, err := byIndex(acks)
	if err != nil {
		return err
	}
	for index, value := range values {
		if _, err := wantEntry(log, uint64(index), value); err != nil {
			return err
		}
	}
	return wantNotFound(log, uint64(len(values)))
}

// byIndex returns the values in the order of the log. It fails where indexes
// are missing, given twice, or out of one writer's order.
func byIndex(acks [][]acked) ([][]byte, error) {
	total := 0
	for _, own := range acks {
		total += len(own)
	}
	values := make([][]byte, total)
	for writer, own := range acks {
		for i, ack := range own {
			if ack.index >= uint64(total) {
				return nil, fmt.Errorf("index %d after only %d appends", ack.index, total)
			}
			if values[ack.index] != nil {
				return nil, fmt.Errorf("index %d given to %q and to %q", ack.index, values[ack.index], ack.value)
			}
			if i > 0 && own[i-1].index >= ack.index {
				return nil, fmt.Errorf("writer %d got index %d after %d", writer, ack.index, own[i-1].index)
			}
			values[ack.index] = ack.value
		}
	}
	return values, nil
}

// CheckGetDuringAppends reads an empty log while many goroutines append to
// it: Get must find what was acknowledged, may show only what was appended at
// that index, and must show the same entry each time.
func CheckGetDuringAppends(log commitlog.Log) error {
	var newest atomic.Uint64 // one more than an index that was acknowledged
	var over atomic.Bool
	seen, errs := make([]map[uint64]string, readers), make([]error, readers)
	var group sync.WaitGroup
	for r := range readers {
		seen[r] = map[uint64]string{}
		group.Go(func() {
			for round := 0; !over.Load() && errs[r] == nil; round++ {
				errs[r] = readTail(log, newest.Load(), round, seen[r])
				runtime.Gosched() // let the writers on
			}
		})
	}
	acks, err := appendAll(log, func(ack acked) { newest.Store(ack.index + 1) })
	over.Store(true)
	group.Wait()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if err := checkAcks(log, acks); err != nil {
		return err
	}
	return checkSeen(acks, seen)
}

// readTail gets a few entries around the end of the log, and one older one.
// All below known must be there.
func readTail(log commitlog.Log, known uint64, round int, seen map[uint64]string) error {
	indexes := []uint64{known, known + 1, known + 2}
	if known > 0 {
		indexes = append(indexes, known-1, uint64(round*7919)%known)
	}
	for _, index := range indexes {
		entry, err := log.Get(index)
		before, again := seen[index]
		switch {
		case errors.Is(err, commitlog.ErrNotFound) && index >= known && !again:
		case err != nil:
			return fmt.Errorf("entry %d was acknowledged or seen before: %w", index, err)
		case entry.Index != index:
			return fmt.Errorf("get %d returned the entry of %d", index, entry.Index)
		case again && before != string(entry.Value):
			return fmt.Errorf("get %d returned %q and then %q", index, before, entry.Value)
		default:
			seen[index] = string(entry.Value)
		}
	}
	return nil
}

// checkSeen checks that no reader saw what was not appended.
func checkSeen(acks [][]acked, seen []map[uint64]string) error {
	values, err := byIndex(acks)
	if err != nil {
		return err
	}
	for _, shown := range seen {
		for index, value := range shown {
			if index >= uint64(len(values)) || value != string(values[index]) {
				return fmt.Errorf("a reader saw %q at index %d, where it was not appended", value, index)
			}
		}
	}
	return nil
}
