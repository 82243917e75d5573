package main

import (
	"context"
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

// imageSize is the size of the file system that a driver gets: enough for what
// raft-engine and okaywal fill beforehand.
const imageSize = 512 << 20

// canImage says what crash images lack here; nil if nothing.
func canImage() error {
	if os.Getuid() != 0 {
		return errors.New("mounting an image needs root")
	}
	for _, tool := range []string{"mkfs.ext4", "mount", "umount"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	_, err := os.Stat("/dev/loop-control")
	return err
}

// imageOnce runs a driver in an ext4 of its own, in an image file behind a loop
// device. It reads which appends were acknowledged, makes the file system write
// nothing more, as a power cut does, kills the driver, mounts the image again
// and compares what is left.
func imageOnce(ctx context.Context, d driver, h home, dir string) (crash, error) {
	var c crash
	err := inFresh(dir, func(fresh string) error {
		image := filepath.Join(fresh, "image")
		if err := makeImage(image); err != nil {
			return err
		}
		acked, err := cutPower(ctx, d, h, image)
		if err != nil {
			return err
		}
		err = mounted(image, func(at string) error {
			c = examine(ctx, d, h, logIn(at), acked)
			return nil
		})
		return errors.Join(err, ctx.Err())
	})
	return c, err
}

// cutPower returns what was acknowledged before the cut.
func cutPower(ctx context.Context, d driver, h home, image string) (acked []anAppend, err error) {
	err = mounted(image, func(at string) error {
		if err := os.Mkdir(logIn(at), 0o777); err != nil {
			return err
		}
		if err := syncDir(at); err != nil { // that it is there is not what is asked
			return err
		}
		v, err := startVictim(ctx, d, h, logIn(at))
		if err != nil {
			return err
		}
		sleepABit()
		acked = v.acks()
		err = shutDown(at)
		_, killErr := v.kill()
		return errors.Join(err, killErr)
	})
	return acked, err
}

func logIn(at string) string { return filepath.Join(at, "log") }

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// makeImage makes a file that holds an empty ext4. All of it is initialised at
// once, so that no kernel thread does so later.
func makeImage(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Truncate(imageSize), file.Close()); err != nil {
		return err
	}
	return run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", path)
}

// mounted mounts an image, does work in it, and unmounts it whatever happens.
// Mounting replays the file system's journal.
func mounted(image string, work func(at string) error) error {
	at := image + ".mnt"
	if err := os.Mkdir(at, 0o700); err != nil {
		return err
	}
	if err := run("mount", "-t", "ext4", "-o", "loop", image, at); err != nil {
		return errors.Join(err, os.Remove(at))
	}
	err := work(at)
	return errors.Join(err, unmount(at), os.Remove(at))
}

// unmount is patient: the kernel may not be done with a process that has ended.
func unmount(at string) error {
	var err error
	for range 100 {
		if err = run("umount", at); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// shutDown makes the file system at a place write nothing more, not even the
// transactions of its journal that are under way: EXT4_IOC_SHUTDOWN.
func shutDown(at string) error {
	const shutdown, noLogFlush = 0x8004587d, 2
	root, err := os.Open(at)
	if err != nil {
		return err
	}
	defer root.Close()
	flags := uint32(noLogFlush)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, root.Fd(), shutdown, uintptr(unsafe.Pointer(&flags)))
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
