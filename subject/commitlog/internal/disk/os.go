package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// osDir is the Dir that is a real directory. It holds the directory itself, so that
// every call reaches the same one, wherever it was moved, whatever has its path now and
// whatever the process's working directory is. Only plan9 and js go by the path.
type osDir struct {
	path string // as it was given, for messages
	root *os.Root
	self *os.File // what Sync flushes
	flag int      // how files are opened
	mode fs.FileMode
}

// OS opens the real directory at path, which exists. Files are made with the permissions
// of mode, before the umask; 0 means those of a file that is there, or else 0644.
func OS(path string, mode fs.FileMode) (Dir, error) { return openDir(path, os.O_RDWR, mode) }

// ReadOnly is OS for files that are not to be written.
func ReadOnly(path string) (Dir, error) { return openDir(path, os.O_RDONLY, 0) }

func openDir(path string, flag int, mode fs.FileMode) (Dir, error) {
	// os.OpenRoot opens before it knows what it opens, and of a pipe waits for a writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	d := &osDir{path: path, root: root, flag: flag, mode: mode.Perm()}
	if d.self, err = root.Open("."); err != nil {
		root.Close()
		return nil, d.within(err)
	}
	if d.mode == 0 {
		d.mode = d.modeThere()
	}
	return d, nil
}

// modeThere is what a file in the directory may be used for.
func (d *osDir) modeThere() fs.FileMode {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	for _, entry := range entries {
		if info, failed := entry.Info(); err == nil && failed == nil && info.Mode().IsRegular() {
			return info.Mode().Perm()
		}
	}
	return 0o644
}

func (d *osDir) Close() error { return errors.Join(d.self.Close(), d.root.Close()) }

func (d *osDir) Path(name string) string { return filepath.Join(d.path, name) }

func (d *osDir) Create(name string) (File, error) {
	return d.open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (d *osDir) Open(name string) (File, error) { return d.open(name, d.flag) }

func (d *osDir) open(name string, flag int) (File, error) {
	file, err := d.openFile(name, flag)
	if err != nil {
		return nil, err
	}
	return osFile{file, d}, nil
}

func (d *osDir) openFile(name string, flag int) (*os.File, error) {
	if err := d.refuse(name); err != nil {
		return nil, err
	}
	file, err := d.root.OpenFile(name, flag, d.mode)
	return file, d.within(err)
}

// refuse returns an error if what has the name is no regular file. Through a link what
// belongs to somebody else would be written, and whoever opens a pipe waits. Should
// somebody put one there in the next moment, it can lead nowhere but within the directory.
func (d *osDir) refuse(name string) error {
	info, err := d.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "openat", Path: name, Err: errNotRegular}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.within(err)
}

// errNotRegular says that there is a link, a pipe or the like where the log has a file.
var errNotRegular = errors.New("not a regular file")

func (d *osDir) Remove(name string) error { return d.within(d.root.Remove(name)) }

func (d *osDir) Rename(old, name string) error { return d.within(d.root.Rename(old, name)) }

func (d *osDir) Names() ([]string, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil, d.within(err)
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, nil
}

// Sync needs no descriptor of its own: a process that has none left for a moment would
// take that for a flush that failed.
func (d *osDir) Sync() error { return syncDirectory(d.self) }

// within tells the error of a call in the directory with the directory's path.
func (d *osDir) within(err error) error {
	switch err := err.(type) {
	case *os.PathError:
		return &os.PathError{Op: strings.TrimSuffix(err.Op, "at"), Path: d.Path(err.Path), Err: err.Err}
	case *os.LinkError:
		return &os.LinkError{Op: strings.TrimSuffix(err.Op, "at"), Old: d.Path(err.Old), New: d.Path(err.New), Err: err.Err}
	}
	return err
}

// osFile is the File that is a real one.
type osFile struct {
	*os.File
	dir *osDir
}

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
