//go:build linux

package crashtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// imageSize is small, so that a copy takes a few milliseconds.
const imageSize = 64 << 20

// A fileSystem is an ext4 in a file, mounted by loop.
type fileSystem struct{ image, mounted string }

// newFileSystem makes one at path and mounts it beside.
func newFileSystem(path string) (*fileSystem, error) {
	if err := os.RemoveAll(path); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(file.Truncate(imageSize), file.Close()); err != nil {
		return nil, err
	}
	if err := command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", path); err != nil {
		return nil, err
	}
	return mount(path)
}

func mount(image string) (*fileSystem, error) {
	fs := &fileSystem{image: image, mounted: image + ".mounted"}
	if err := os.MkdirAll(fs.mounted, 0o700); err != nil {
		return nil, err
	}
	if err := command("mount", "-o", "loop", image, fs.mounted); err != nil {
		return nil, errors.Join(err, os.Remove(fs.mounted))
	}
	return fs, nil
}

// mountCopy mounts a copy, after e2fsck where it cannot be mounted as it is.
func mountCopy(image string) (fs *fileSystem, repaired bool, err error) {
	if fs, err = mount(image); err == nil {
		return fs, false, nil
	}
	exit := (*exec.ExitError)(nil) // 1 and 2 say that something was repaired
	if err := exec.Command("e2fsck", "-fy", image).Run(); err != nil && !(errors.As(err, &exit) && exit.ExitCode() < 4) {
		return nil, true, fmt.Errorf("e2fsck %s: %w", image, err)
	}
	fs, err = mount(image)
	return fs, true, err
}

// copy copies the image as the loop device has it, without flushing anything.
func (fs *fileSystem) copy(to string) error {
	from, err := os.Open(fs.image)
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}

func (fs *fileSystem) unmount() error {
	return errors.Join(command("umount", fs.mounted), os.Remove(fs.mounted))
}

func (fs *fileSystem) remove() error {
	return errors.Join(fs.unmount(), os.Remove(fs.image))
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}
