package disk

import (
	"os"
	"syscall"
)

// Sync leaves out what fsync adds and a log does not need: the times. The
// size is covered.
func (f osFile) Sync() error { return withDescriptor(f.File, "fdatasync", syscall.Fdatasync) }

func syncDirectory(dir *os.File) error { return dir.Sync() }
