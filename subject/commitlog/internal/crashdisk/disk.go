package crashdisk

import (
	"io/fs"
	"os"
	"sync"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

var _ disk.Dir = (*Disk)(nil)

// A Disk is one directory in memory. It may be used by several goroutines.
type Disk struct {
	mu   sync.Mutex
	hook func(Call) Fault

	now     table    // the names as calls see them
	base    table    // the names that are certain, before the first of changes
	changes []change // what was done to the names since base, in order
	seq     uint64   // of the last change
}

// New returns an empty disk.
func New() *Disk { return &Disk{} }

// Path is where the file would be, for messages.
func (d *Disk) Path(name string) string { return "crashdisk/" + name }

// Close does nothing: whoever opens the log next has the same disk.
func (d *Disk) Close() error { return nil }

// Mappable implements disk.Dir: a full disk is a Fault.
func (d *Disk) Mappable(size int64) bool { return size <= maxView }

// Create implements disk.Dir.
func (d *Disk) Create(name string) (disk.File, error) {
	if err := d.announce(Call{Op: Create, Name: name}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.find(name) != nil {
		return nil, d.failed(Create, name, fs.ErrExist)
	}
	return &file{disk: d, node: d.create(name), name: name}, nil
}

// Open implements disk.Dir.
func (d *Disk) Open(name string) (disk.File, error) {
	if err := d.announce(Call{Op: Open, Name: name}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(name)
	if found == nil {
		return nil, d.failed(Open, name, fs.ErrNotExist)
	}
	return &file{disk: d, node: found, name: name}, nil
}

// Remove implements disk.Dir. Files that are open stay usable.
func (d *Disk) Remove(name string) error {
	if err := d.announce(Call{Op: Remove, Name: name}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(name)
	if found == nil {
		return d.failed(Remove, name, fs.ErrNotExist)
	}
	d.do(change{old: name, node: found})
	return nil
}

// Rename implements disk.Dir. Its own errors are an *os.LinkError, as those
// of os.Rename are.
func (d *Disk) Rename(old, to string) error {
	if err := d.announce(Call{Op: Rename, Name: old, To: to}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(old)
	if found == nil {
		return &os.LinkError{Op: "rename", Old: d.Path(old), New: d.Path(to), Err: fs.ErrNotExist}
	}
	if old != to {
		d.do(change{old: old, new: to, node: found})
	}
	return nil
}

// Names implements disk.Dir.
func (d *Disk) Names() ([]string, error) {
	if err := d.announce(Call{Op: Names}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	names := make([]string, len(d.now))
	for i, e := range d.now {
		names[i] = e.name
	}
	return names, nil
}

// Sync implements disk.Dir: what was done to the names before the call is
// durable when it returns nil, and doomed if it fails.
func (d *Disk) Sync() error {
	d.mu.Lock()
	mark, hook := d.seq, d.hook
	d.mu.Unlock()
	err := d.ask(hook, Call{Op: SyncDir}).Err
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.doom()
		return err
	}
	d.settle(mark)
	return nil
}
