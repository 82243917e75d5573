package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/syncwrite/syncwrite/internal/ext4"
)

// imageSize is the size of the file system that a driver gets: enough for what
// raft-engine and okaywal fill beforehand.
const imageSize = 512 << 20

// canImage says what crash images lack here; nil if nothing.
func canImage() error { return ext4.Can() }

// imageOnce runs a driver in an ext4 of its own, in an image file behind a loop
// device. It reads which appends were acknowledged, makes the file system write
// nothing more, as a power cut does, kills the driver, mounts the image again
// and compares what is left.
func imageOnce(ctx context.Context, d driver, h home, dir string) (crash, error) {
	var c crash
	err := inFresh(dir, func(fresh string) error {
		image := filepath.Join(fresh, "image")
		if err := ext4.Make(image, imageSize); err != nil {
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

// mounted mounts an image, does work in it, and unmounts it whatever happens.
// Mounting replays the file system's journal.
func mounted(image string, work func(at string) error) error {
	at := image + ".mnt"
	if err := ext4.Mount(image, at); err != nil {
		return err
	}
	err := work(at)
	return errors.Join(err, unmount(at))
}

// unmount is patient: the kernel may not be done with a process that has ended.
func unmount(at string) error {
	var err error
	for range 100 {
		if err = ext4.Unmount(at); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// shutDown cuts off the file system at a place.
func shutDown(at string) error {
	root, err := os.Open(at)
	if err != nil {
		return err
	}
	return errors.Join(ext4.Cut(root), root.Close())
}
