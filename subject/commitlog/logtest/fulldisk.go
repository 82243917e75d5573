package logtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

const (
	ballastSize   = 8 << 20
	largestFilled = 64 << 20
	filledValue   = 16 << 10
)

// CheckFullDisk appends to a log in dir, on a file system of its own of at
// most 64 MiB, until no space is left. The append that fails must say so, and
// what was acknowledged must stay readable: at once, and after the log was
// reopened with some space freed.
func CheckFullDisk(open OpenFunc, dir string) error {
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, ballastSize), 0o600); err != nil {
		return err
	}
	path := filepath.Join(dir, "log")
	log, err := open(path)
	if err != nil {
		return err
	}
	values, err := fill(log)
	if err == nil {
		err = checkFilled(log, values)
	}
	closeErr := log.Close() // may well fail for want of space, and need not
	if errors.Is(closeErr, commitlog.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(ballast); err != nil {
		return err
	}
	return reopenFilled(open, path, values)
}

// fill returns the values that were acknowledged, those included that still
// found room after the first failure.
func fill(log commitlog.Log) ([][]byte, error) {
	random := rand.NewChaCha8([32]byte{}) // nothing to compress
	var values [][]byte
	failures := 0
	for size := filledValue; failures < 3; {
		value := make([]byte, size)
		random.Read(value)
		index, err := log.Append(value)
		switch {
		case err == nil && index != uint64(len(values)):
			return nil, fmt.Errorf("append got index %d behind %d entries", index, len(values))
		case err == nil:
			values = append(values, value)
		case failures == 0 && !errors.Is(err, syscall.ENOSPC):
			return nil, fmt.Errorf("append on a full disk returned %q, want no space left on device", err)
		default:
			failures++
			size = 3
		}
		if len(values)*filledValue > largestFilled {
			return nil, errors.New("the disk takes more than it can hold: appends are not written")
		}
	}
	return values, nil
}

func checkFilled(log commitlog.Log, values [][]byte) error {
	for index, value := range values {
		if _, err := wantEntry(log, uint64(index), value); err != nil {
			return fmt.Errorf("full disk: %w", err)
		}
	}
	return nil
}

// reopenFilled opens the log that ran out of space. An append that failed may
// be there or not, but nothing acknowledged may be missing or moved, and the
// log must take appends again.
func reopenFilled(open OpenFunc, path string, values [][]byte) error {
	log, err := open(path)
	if err != nil {
		return fmt.Errorf("reopen with space freed: %w", err)
	}
	err = checkFilled(log, values)
	if err == nil {
		_, err = log.Append([]byte("space again"))
	}
	return errors.Join(err, log.Close())
}
