package ext4

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"
)

// Can says what images lack here; nil if nothing.
func Can() error {
	if os.Getuid() != 0 {
		return errors.New("mounting an image needs root")
	}
	for _, tool := range []string{"mkfs.ext4", "e2fsck", "mount", "umount"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	_, err := os.Stat("/dev/loop-control")
	return err
}

// Make makes a file of so many bytes that holds an empty ext4. All of it is
// initialised at once, so that no kernel thread does so later, behind the writes
// that are watched.
func Make(path string, size int64) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	if err := errors.Join(file.Truncate(size), file.Close()); err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	return run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", path)
}

// Mount mounts an image at a folder, which it makes. That replays the journal.
func Mount(image, at string) error {
	if err := os.Mkdir(at, 0o700); err != nil {
		return fmt.Errorf("mount image: %w", err)
	}
	if err := run("mount", "-t", "ext4", "-o", "loop", image, at); err != nil {
		return errors.Join(err, os.Remove(at))
	}
	return nil
}

// Unmount ends what Mount began. It fails while a process uses the files.
func Unmount(at string) error {
	if err := run("umount", at); err != nil {
		return err
	}
	return os.Remove(at)
}

// Repair has an image that is not mounted checked and mended.
func Repair(image string) error {
	err := run("e2fsck", "-fy", image)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() < 4 { // 1 and 2: all is repaired
		return nil
	}
	return err
}

// Cut makes the file system of an open file write nothing more, not even the
// transactions of its journal that are under way: EXT4_IOC_SHUTDOWN with the flag
// that keeps the log from being flushed.
func Cut(file *os.File) error {
	const shutdown, noLogFlush = 0x8004587d, 2
	flags := uint32(noLogFlush)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), shutdown, uintptr(unsafe.Pointer(&flags)))
	if errno != 0 {
		return fmt.Errorf("shut down the file system: %w", errno)
	}
	return nil
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}
