package crashtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/syncwrite/syncwrite/internal/ext4"
)

// CanImage says what Images lacks here; nil if nothing.
func CanImage() error { return ext4.Can() }

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
	if err := ext4.Mount(image, at); err != nil {
		return nil, err
	}
	defer os.Remove(at)
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
	if repair := ext4.Repair(image); repair != nil {
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
