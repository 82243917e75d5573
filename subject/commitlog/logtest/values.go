package logtest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// CheckValues appends values of all sizes to an empty log and reads them back,
// and checks that neither the caller's buffer nor what Get returned is the
// log's own memory. It leaves a value of 1 MiB behind.
func CheckValues(log commitlog.Log) error {
	if err := wantNotFound(log, 0); err != nil {
		return fmt.Errorf("empty log: %w", err)
	}
	values := [][]byte{[]byte("foo"), {}, nil, bytes.Repeat([]byte{0xa5}, 1<<20), []byte("bar")}
	for i, value := range values {
		buffer := bytes.Clone(value)
		index, err := log.Append(buffer)
		if err != nil {
			return err
		}
		if index != uint64(i) {
			return fmt.Errorf("append %d got index %d", i, index)
		}
		clear(buffer)
	}
	if err := checkTooLarge(log); err != nil {
		return err
	}
	for range 2 { // the second round sees what the first one did to its values
		for i, value := range values {
			entry, err := wantEntry(log, uint64(i), value)
			if err != nil {
				return err
			}
			clear(entry.Value)
		}
	}
	return wantNotFound(log, uint64(len(values)), uint64(len(values))+1, 1<<31, 1<<63, 1<<64-1)
}

func checkTooLarge(log commitlog.Log) error {
	_, err := log.Append(make([]byte, commitlog.MaxValueSize+1))
	if !errors.Is(err, commitlog.ErrTooLarge) {
		return fmt.Errorf("append of %d bytes returned %v, want ErrTooLarge", commitlog.MaxValueSize+1, err)
	}
	return nil
}

// CheckClosed closes an empty log and checks that every method then says so.
func CheckClosed(log commitlog.Log) error {
	if _, err := log.Append([]byte("foo")); err != nil {
		return err
	}
	if err := log.Close(); err != nil {
		return err
	}
	_, appendErr := log.Append([]byte("bar"))
	_, getErr := log.Get(0)
	_, beyondErr := log.Get(9)
	for what, err := range map[string]error{
		"append": appendErr, "get": getErr, "get of no entry": beyondErr, "second close": log.Close(),
	} {
		if !errors.Is(err, commitlog.ErrClosed) {
			return fmt.Errorf("%s of a closed log returned %v, want ErrClosed", what, err)
		}
	}
	return nil
}

// wantEntry gets an entry that must be there.
func wantEntry(log commitlog.Log, index uint64, value []byte) (commitlog.Entry, error) {
	entry, err := log.Get(index)
	if err != nil {
		return entry, err
	}
	if entry.Index != index || !bytes.Equal(entry.Value, value) {
		return entry, fmt.Errorf("get %d returned index %d and %s, want %s", index, entry.Index, brief(entry.Value), brief(value))
	}
	return entry, nil
}

func wantNotFound(log commitlog.Log, indexes ...uint64) error {
	for _, index := range indexes {
		if _, err := log.Get(index); !errors.Is(err, commitlog.ErrNotFound) {
			return fmt.Errorf("get %d of what was never appended returned %v, want ErrNotFound", index, err)
		}
	}
	return nil
}

func brief(value []byte) string {
	if len(value) <= 32 {
		return fmt.Sprintf("%q", value)
	}
	return fmt.Sprintf("%q and %d bytes more", value[:32], len(value)-32)
}
