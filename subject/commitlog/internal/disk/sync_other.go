//go:build !linux

package disk

import (
	"os"
	"runtime"
)

// Sync is os.File.Sync, which on darwin asks for F_FULLFSYNC: plain fsync
// leaves the data in the drive's cache there.
func (f osFile) Sync() error { return f.File.Sync() }

// syncDirectory does nothing on Windows, which refuses to flush a directory
// and journals names itself.
func syncDirectory(dir *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return dir.Sync()
}
