//go:build !linux

package disk

import (
	"errors"
	"os"
	"runtime"
	"sync"
)

// Other systems than Linux do without what it alone can be asked for.

// Direct is not to be had: other systems leave the cache out in ways of their
// own, or not at all.
func (f osFile) Direct() (Direct, error) { return nil, errors.ErrUnsupported }

// Reserve is for Linux alone.
func (f osFile) Reserve(int64) error { return errors.ErrUnsupported }

// Mappable is for Linux alone.
func (d *osDir) Mappable(int64) bool { return false }

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

// Populate, Random, Release and Forget do nothing.
func (m *Memory) Populate(from, to int64) {}
func (m *Memory) Random()                 {}
func (m *Memory) Release(from, to int64)  {}
func (m *Memory) Forget(from, to int64)   {}
func (m *Memory) large(int64)             {}
func (m *Memory) want(from, to int64)     {}

// Zeros returns MostZeros bytes that are zero for ever, and that nobody may store to.
var Zeros = sync.OnceValue(func() []byte { return Aligned(MostZeros, Alignment) })
