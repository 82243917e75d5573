package disk

import (
	"os"
	"path/filepath"
)

// osDir is the Dir that is a real directory.
type osDir struct {
	path string
	flag int      // how files are opened
	held *os.File // the directory itself, for as long as its lock is held
}

// OS returns the real directory at path, which exists.
func OS(path string) Dir { return &osDir{path: path, flag: os.O_RDWR} }

// ReadOnly is OS for files that are not to be written.
func ReadOnly(path string) Dir { return &osDir{path: path, flag: os.O_RDONLY} }

func (d *osDir) Path(name string) string { return filepath.Join(d.path, name) }

func (d *osDir) Create(name string) (File, error) {
	return d.open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (d *osDir) Open(name string) (File, error) { return d.open(name, d.flag) }

func (d *osDir) open(name string, flag int) (File, error) {
	file, err := openFile(d.Path(name), flag)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

func (d *osDir) Remove(name string) error { return os.Remove(d.Path(name)) }

func (d *osDir) Rename(old, name string) error { return os.Rename(d.Path(old), d.Path(name)) }

func (d *osDir) Names() ([]string, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, nil
}

// Sync needs no descriptor of its own while the lock is held: a process that has
// none left for a moment would take that for a flush that failed.
func (d *osDir) Sync() error {
	if d.held != nil {
		return syncDirectory(d.held)
	}
	dir, err := os.Open(d.path)
	if err != nil {
		return err
	}
	err = syncDirectory(dir)
	if closeErr := dir.Close(); err == nil {
		err = closeErr
	}
	return err
}

// osFile is the File that is a real one.
type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
