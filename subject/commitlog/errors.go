package commitlog

import (
	"errors"
	"fmt"
	"io"
	"syscall"
)

// The errors every log returns, wrapped with what was tried and where.
// Compare with errors.Is.
var (
	// ErrNotFound says that no entry has this index yet.
	ErrNotFound = errors.New("no such entry")
	// ErrClosed says that the log was closed before the call.
	ErrClosed = errors.New("log is closed")
	// ErrTooLarge says that a value is longer than MaxValueSize, or a batch than MaxBatchSize.
	ErrTooLarge = fmt.Errorf("value is larger than %d bytes, or batch than %d", MaxValueSize, MaxBatchSize)
	// ErrTruncated says that the entry was there and was truncated: by
	// TruncatePrefix or, for a Reader, by TruncateSuffix. It is also an ErrNotFound.
	ErrTruncated = fmt.Errorf("%w: it was truncated", ErrNotFound)
	// ErrLocked says that the log is open already, here or in another process.
	ErrLocked = errors.New("log is in use by another writer")
)

// A CorruptError says that stored bytes are not what the log wrote. It is
// never returned for a torn tail, which opening a log repairs. Find it with
// errors.As.
type CorruptError struct {
	// Path names the file or directory of the log.
	Path string
	// Index is the entry that cannot be trusted.
	Index uint64
	// Offset is where its record starts in the file, in bytes; -1 if the
	// backend does not know.
	Offset int64
	// Reason says what does not fit.
	Reason string
	// Entries is how many entries, from Index on, Verify and Salvage say that it cost; Get leaves it 0.
	Entries uint64
	// Lost says that a repair has given the entry up: another will not help.
	Lost bool
}

func (e *CorruptError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: entry %d is corrupt: %s", e.Path, e.Index, e.Reason)
	}
	return fmt.Sprintf("%s: entry %d at byte %d is corrupt: %s", e.Path, e.Index, e.Offset, e.Reason)
}

func appendError(index uint64, why error) error {
	return fmt.Errorf("append entry %d: %w", index, why)
}

func getError(index uint64, why error) error {
	return fmt.Errorf("get entry %d: %w", index, why)
}

func closeError(why error) error {
	return fmt.Errorf("close log: %w", why)
}

// both returns the errors that are not nil as one, on one line.
func both(first, second error) error {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	return fmt.Errorf("%w; %w", first, second)
}

// unlessEnd hides the errors that say the file ends here.
func unlessEnd(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// A flushError says that the disk did not take what it was given. Nobody
// knows then what it holds, and the system may report the next flush of the
// same data as good: the log that meets one stops.
type flushError struct{ cause error }

func (e *flushError) Error() string { return e.cause.Error() }
func (e *flushError) Unwrap() error { return e.cause }

func isFlushError(err error) bool {
	var flush *flushError
	return errors.As(err, &flush)
}

// ifNotFull hides the error that says that the disk is full.
func ifNotFull(err error) error {
	if isFull(err) && !isFlushError(err) {
		return nil
	}
	return err
}

// isFull reports whether an error says that there is no space: on the disk, in a
// quota, or in a file that has a limit.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// flush makes a file, or the names in a directory, survive a power cut.
func flush(what interface{ Sync() error }) error {
	if err := what.Sync(); err != nil {
		return &flushError{err}
	}
	return nil
}
