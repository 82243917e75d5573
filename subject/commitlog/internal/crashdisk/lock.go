package crashdisk

import (
	"io"
	"io/fs"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Lock implements disk.Dir. As with flock(2) the lock is on the file, not on
// its name, and making the file is a Create like any other.
func (d *Disk) Lock(name string) (io.Closer, error) {
	if err := d.announce(Call{Op: Lock, Name: name}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(name)
	if found == nil {
		found = d.create(name)
	}
	if found.locked {
		return nil, d.failed(Lock, name, disk.ErrLocked)
	}
	found.locked = true
	return &lock{disk: d, node: found, name: name}, nil
}

// A lock is held until it is closed, or the disk is left behind for an image.
type lock struct {
	disk   *Disk
	node   *node
	name   string
	closed bool // guarded by disk.mu
}

// Close lets go of the lock even if it fails, as the system does.
func (l *lock) Close() error {
	l.disk.mu.Lock()
	closed, hook := l.closed, l.disk.hook
	l.closed = true
	l.disk.mu.Unlock()
	if closed {
		return l.disk.failed(Close, l.name, fs.ErrClosed)
	}
	err := l.disk.ask(hook, Call{Op: Close, Name: l.name}).Err
	l.disk.mu.Lock()
	defer l.disk.mu.Unlock()
	l.node.locked = false
	return err
}
