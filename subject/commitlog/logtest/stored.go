package logtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// CheckReopen closes a log in dir while goroutines append to it and opens it
// again, twice: what was acknowledged must be there, and new appends must go
// behind it.
func CheckReopen(open OpenFunc, dir string) error {
	path := filepath.Join(dir, "log")
	log, err := open(path)
	if err != nil {
		return err
	}
	acks, err := closeDuringAppends(log)
	if err != nil {
		return err
	}
	values, err := byIndex(acks)
	if err != nil {
		return err
	}
	for range 2 {
		if values, err = reopenAndAppend(open, path, values); err != nil {
			return fmt.Errorf("reopened: %w", err)
		}
	}
	return nil
}

// CheckReopenValues closes a log in dir that holds values of every length, the empty one
// and the largest among them, and opens it again, twice.
func CheckReopenValues(open OpenFunc, dir string) error {
	path := filepath.Join(dir, "log")
	log, err := open(path)
	if err != nil {
		return err
	}
	values := [][]byte{{}, []byte("foo"), nil, bytes.Repeat([]byte{0xa5}, 1<<20), make([]byte, commitlog.MaxValueSize), {0}, {}}
	for _, value := range values {
		if _, err := log.Append(value); err != nil {
			return errors.Join(fmt.Errorf("append of %d bytes: %w", len(value), err), log.Close())
		}
	}
	if err := log.Close(); err != nil {
		return err
	}
	for range 2 {
		if values, err = reopenAndAppend(open, path, values); err != nil {
			return fmt.Errorf("reopened: %w", err)
		}
	}
	return nil
}

// closeDuringAppends returns what was acknowledged until the log was closed.
// Appends that came too late must say ErrClosed.
func closeDuringAppends(log commitlog.Log) ([][]acked, error) {
	acks, errs := make([][]acked, writers), make([]error, writers)
	half := make(chan struct{}, writers)
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			acks[w], errs[w] = appendSome(log, w, appendsPerWriter, func(ack acked) {
				if ack.index == writers*appendsPerWriter/2 {
					half <- struct{}{}
				}
			})
			if errors.Is(errs[w], commitlog.ErrClosed) {
				errs[w] = nil
			}
			half <- struct{}{} // whatever happens, someone gets the log closed
		})
	}
	<-half
	err := log.Close()
	group.Wait()
	return acks, errors.Join(append(errs, err)...)
}

// reopenAndAppend opens the log at path, which must hold values, appends one
// more, and returns them all.
func reopenAndAppend(open OpenFunc, path string, values [][]byte) (_ [][]byte, err error) {
	log, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	for index, value := range values {
		if _, err := wantEntry(log, uint64(index), value); err != nil {
			return nil, err
		}
	}
	value := fmt.Appendf(nil, "reopened with %d", len(values))
	index, err := log.Append(value)
	if err != nil {
		return nil, err
	}
	if index != uint64(len(values)) {
		return nil, fmt.Errorf("append got index %d behind %d entries", index, len(values))
	}
	_, err = wantEntry(log, index, value)
	return append(values, value), err
}

// CheckCrash appends to a log in dir and opens a copy of its files while it is
// still open. The copy is what a killed process would have left behind: what
// was acknowledged must be in it.
func CheckCrash(open OpenFunc, dir string) error {
	path := filepath.Join(dir, "log")
	log, err := open(path)
	if err != nil {
		return err
	}
	defer log.Close()
	acks, err := appendAll(log, nil)
	if err != nil {
		return err
	}
	values, err := byIndex(acks)
	if err != nil {
		return err
	}
	crashed := filepath.Join(dir, "crashed")
	if err := copyFiles(path, crashed); err != nil {
		return err
	}
	if _, err := reopenAndAppend(open, crashed, values); err != nil {
		return fmt.Errorf("opened without close: %w", err)
	}
	return nil
}

// copyFiles copies a file, or a directory of files.
func copyFiles(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// CheckBadPath opens a log below something that is no directory.
func CheckBadPath(open OpenFunc, dir string) error {
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("not a directory"), 0o600); err != nil {
		return err
	}
	log, err := open(filepath.Join(file, "log"))
	if err == nil {
		return errors.Join(errors.New("a path below a file was opened"), log.Close())
	}
	return nil
}
