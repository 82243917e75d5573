package commitlog

import (
	"io"
	"os"
	"path/filepath"
)

// storage is the seam between the log and the disk: what File asks of the
// system, so that tests can let each call fail.
type storage interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	// Sync returns once all that was written would survive a power cut.
	Sync() error
	// SyncName does the same for the file's name in its directory.
	SyncName() error
}

// osFile is the storage that is a real file.
type osFile struct{ *os.File }

func openOSFile(path string) (storage, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) SyncName() error {
	dir, err := os.Open(filepath.Dir(f.Name()))
	if err != nil {
		return err
	}
	return both(syncDirectory(dir), dir.Close())
}
