package crashtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// CanImage says what Images lacks here; nil if nothing.
func CanImage() error {
	if os.Getuid() != 0 {
		return errors.New("mounting an image needs root")
	}
	for _, tool := range []string{"mkfs.ext4", "e2fsck", "mount"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	_, err := os.Stat("/dev/loop-control")
	return err
}

// makeImage makes a file that holds an empty ext4. All of it is initialised
// at once, so that no kernel thread does so later, behind the log's writes.
func makeImage(path string, size int64) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	if err := errors.Join(file.Truncate(size), file.Close()); err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	return run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", path)
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// A filesystem is an image that is mounted by a loop device.
//
// It is at no place in the directory tree: as soon as it is mounted it is
// detached again, and lives on as long as a process holds root open. However
// this process ends, it leaves no mount and no loop device behind.
type filesystem struct {
	image string
	root  *os.File
	stat  string // the block device's counters
}

func mountImage(image string) (*filesystem, error) {
	at := image + ".mnt"
	if err := os.Mkdir(at, 0o700); err != nil {
		return nil, fmt.Errorf("mount image: %w", err)
	}
	defer os.Remove(at)
	if err := run("mount", "-t", "ext4", "-o", "loop", image, at); err != nil {
		return nil, err
	}
	root, err := os.Open(at)
	if err := errors.Join(err, syscall.Unmount(at, syscall.MNT_DETACH)); err != nil {
		return nil, fmt.Errorf("mount image: %w", err)
	}
	var info syscall.Stat_t
	if err := syscall.Fstat(int(root.Fd()), &info); err != nil {
		return nil, fmt.Errorf("mount image: %w", errors.Join(err, root.Close()))
	}
	stat := fmt.Sprintf("/sys/dev/block/%d:%d/stat", info.Dev>>8&0xfff, info.Dev&0xff|info.Dev>>12&0xfff00)
	return &filesystem{image, root, stat}, nil
}

// mountCrashed mounts an image that was not unmounted, and repairs it first
// if it must.
func mountCrashed(image string) (_ *filesystem, fsck bool, _ error) {
	fs, err := mountImage(image)
	if err == nil {
		return fs, false, nil
	}
	var exit *exec.ExitError
	repair := run("e2fsck", "-fy", image)
	if errors.As(repair, &exit) && exit.ExitCode() < 4 { // 1 and 2: all is repaired
		repair = nil
	}
	if repair != nil {
		return nil, true, errors.Join(err, repair)
	}
	fs, err = mountImage(image)
	return fs, true, err
}

// path names a file in the file system to this process.
func (fs *filesystem) path(name string) string { return inDescriptor(int(fs.root.Fd()), name) }

func inDescriptor(fd int, name string) string { return fmt.Sprintf("/proc/self/fd/%d/%s", fd, name) }

// used is which part of the file system holds data, from 0 to 1.
func (fs *filesystem) used() (float64, error) {
	var info syscall.Statfs_t
	if err := syscall.Fstatfs(int(fs.root.Fd()), &info); err != nil {
		return 0, fmt.Errorf("look for space: %w", err)
	}
	return 1 - float64(info.Bfree)/float64(info.Blocks), nil
}

// writes is a mark that changes when the file system writes to its device.
// idle says that no write is under way.
func (fs *filesystem) writes() (mark string, idle bool, err error) {
	line, err := os.ReadFile(fs.stat)
	if err != nil {
		return "", false, err
	}
	fields := strings.Fields(string(line))
	if len(fields) < 9 {
		return "", false, fmt.Errorf("%s: %d fields", fs.stat, len(fields))
	}
	return fields[4], fields[8] == "0", nil
}

// cut makes the file system write nothing more: EXT4_IOC_SHUTDOWN, with the
// flag that keeps even the log of the transactions from being written.
func (fs *filesystem) cut() error {
	const shutdown, noLogFlush = 0x8004587d, 2
	flags := uint32(noLogFlush)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fs.root.Fd(), shutdown, uintptr(unsafe.Pointer(&flags)))
	if errno != 0 {
		return fmt.Errorf("shut down the file system: %w", errno)
	}
	return nil
}

// release unmounts the file system, which no other process may use any more,
// and returns when its loop device is free.
func (fs *filesystem) release() error {
	if err := fs.root.Close(); err != nil {
		return fmt.Errorf("unmount image: %w", err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		device, err := loopOf(fs.image)
		if err != nil || device == "" {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("unmount image: %s is still attached to %s", fs.image, device)
		}
	}
}

// loopOf names the loop device whose backing file is image, if there is one.
func loopOf(image string) (string, error) {
	image, err := filepath.Abs(image)
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		backing, err := os.ReadFile(file) // of a device that has just been freed there is none
		if err == nil && strings.TrimSuffix(string(backing), "\n") == image {
			return filepath.Base(filepath.Dir(filepath.Dir(file))), nil
		}
	}
	return "", nil
}
