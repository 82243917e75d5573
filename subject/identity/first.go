package identity

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// A directory keeps its log under logName. The first opening makes it under firstName, from
// which nothing is handed out, and gives it its name when it has a mark: a log without one
// has lost it.
const (
	logName   = "ids"
	firstName = "ids.new"
)

// makeLog makes the directory and its log, if they are not there. What an opening before has
// left, which was killed or met a full disk, it goes on with. When it returns the names
// survive a power cut.
func makeLog(dir string, replica Replica, floor uint64) error {
	_, err := os.Stat(filepath.Join(dir, logName))
	if errors.Is(err, fs.ErrNotExist) {
		err = makeFirst(dir, replica, floor)
	}
	if err != nil {
		return err
	}
	return syncDirectory(dir)
}

func makeFirst(dir string, replica Replica, floor uint64) error {
	if err := makeDirectory(dir); err != nil {
		return err
	}
	log, err := openLog(filepath.Join(dir, firstName))
	if err != nil {
		return err
	}
	if isNamed(dir) { // by a process beside this one: it may be the log that is open here, and say what was handed out
		return log.Close()
	}
	first := mark{replica: replica, reserved: replica.upTo(floor)}
	rand.Read(first.instance[:]) // never fails
	if err := errors.Join(first.write(log), log.Close()); err != nil {
		return err
	}
	return nameLog(dir)
}

func isNamed(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, logName))
	return err == nil
}

// makeDirectory makes the directory, and its name safe: an opening that was killed may have
// made it. One with other files in it is none to begin in: it may have lost the log.
func makeDirectory(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(files, isOther); i >= 0 {
		return fmt.Errorf("%w: there is no %s in it, but %s; begin in one that is empty", ErrNothingKept, logName, files[i].Name())
	}
	err = syncDirectory(dir + string(os.PathSeparator) + "..")
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) { // then nobody like us made it there
		return nil
	}
	return err
}

// isOther reports whether neither an opening nor the file system has made a file.
func isOther(f fs.DirEntry) bool {
	name := f.Name()
	return name != logName && name != firstName && name != "lost+found" && !strings.HasPrefix(name, ".")
}

// nameLog gives the log its name. If a process beside this one was faster, its log is there.
func nameLog(dir string) error {
	err := os.Rename(filepath.Join(dir, firstName), filepath.Join(dir, logName))
	if err != nil && isNamed(dir) {
		return nil
	}
	return err
}

func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" { // it does not flush directories, and journals names itself
		return nil
	}
	opened, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
