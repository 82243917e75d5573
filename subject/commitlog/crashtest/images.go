//go:build linux

package crashtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// imagesEach is how many copies are made of one file system.
const imagesEach = 10

// Images makes n copies of file systems below dir that a child appends to, at
// random times, half of them while it is stopped. What each holds goes to
// visit with the path of the copy, which is kept if visit says so.
func Images(backends []Backend, number, n int, dir string, r *rand.Rand, visit func(Outcome, string) bool) error {
	for taken := 0; taken < n; taken += imagesEach {
		err := imagesOfOne(backends, number, min(imagesEach, n-taken), dir, r, visit)
		if err != nil {
			return err
		}
	}
	return nil
}

func imagesOfOne(backends []Backend, number, n int, dir string, r *rand.Rand, visit func(Outcome, string) bool) (err error) {
	fs, err := newFileSystem(filepath.Join(dir, "disk"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.remove()) }()
	c, err := startChild(number, filepath.Join(fs.mounted, "log"), filepath.Join(dir, "acks"), "paced")
	if err != nil {
		return err
	}
	defer func() {
		_, killed := c.kill()
		err = errors.Join(err, killed, c.acks.close())
	}()
	for i := range n {
		time.Sleep(time.Duration(r.Int64N(int64(60 * time.Millisecond))))
		image := filepath.Join(dir, fmt.Sprintf("image-%d-%d", number, r.Uint32()))
		told, err := c.image(fs, image, i%2 == 0)
		if err != nil {
			return err
		}
		o, err := examineImage(backends[number], image, told)
		if err != nil {
			return err
		}
		if !visit(o, image) {
			if err := os.Remove(image); err != nil {
				return err
			}
		}
	}
	return nil
}

// image copies the child's file system and returns what was acknowledged
// before.
func (c *child) image(fs *fileSystem, to string, stopped bool) (told snapshot, err error) {
	if stopped {
		if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
			return told, err
		}
		defer func() { err = errors.Join(err, c.Process.Signal(syscall.SIGCONT)) }()
	}
	told = c.acks.snapshot()
	return told, fs.copy(to)
}

// examineImage mounts a copy, repaired if it must be, and opens its log.
func examineImage(b Backend, image string, told snapshot) (o Outcome, err error) {
	fs, repaired, err := mountCopy(image)
	if err != nil {
		return o, err
	}
	o = examine(b, filepath.Join(fs.mounted, "log"), told)
	o.Fsck = repaired
	return o, fs.unmount()
}
