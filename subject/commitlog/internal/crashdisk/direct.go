package crashdisk

import (
	"errors"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// block is the unit of direct writes: small, as files here are.
const block = 256

// A direct is a file that is written past the system's cache. To the hook each
// WriteSafe is a Write of all parts and then a Sync, between which the disk may
// have any of it.
type direct struct{ *file }

// Direct implements disk.File.
func (f *file) Direct() (disk.Direct, error) {
	if err := f.announce(Call{Op: Direct}); err != nil {
		return nil, err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.directs++
	f.node.mixed = false
	return direct{&file{disk: f.disk, node: f.node, name: f.name, direct: true}}, nil
}

// Close makes WriteSafe impossible, and the usual ways harmless.
func (d direct) Close() error {
	err := d.file.Close()
	d.disk.mu.Lock()
	defer d.disk.mu.Unlock()
	d.node.directs--
	return err
}

var errMixed = errors.New("direct write after the system's cache was used")

func (d direct) Block() int64 { return block }

func (d direct) WriteSafe(at int64, parts ...[]byte) error {
	var all []byte
	for _, part := range parts {
		all = append(all, part...)
	}
	before, _, err := d.begin(Write)
	if err != nil {
		return err
	}
	if d.isMixed() {
		return d.disk.failed(Write, d.name, errMixed)
	}
	if at%block != 0 || len(all)%block != 0 {
		return d.disk.failed(Write, d.name, errors.New("not at a multiple of the block"))
	}
	if _, err := d.WriteAt(all, at); err != nil {
		return err
	}
	return d.syncSince(before)
}

func (d direct) isMixed() bool {
	d.disk.mu.Lock()
	defer d.disk.mu.Unlock()
	return d.node.mixed
}

// syncSince makes durable what was done since the edit before, and nothing
// older.
func (d direct) syncSince(before uint64) error {
	mark, hook, err := d.begin(Sync)
	if err != nil {
		return err
	}
	err = d.disk.ask(hook, Call{Op: Sync, Name: d.name}).Err
	d.disk.mu.Lock()
	defer d.disk.mu.Unlock()
	d.node.decide(before, mark, err == nil)
	return err
}

// Forget does nothing: there is no cache.
func (d direct) Forget() error { return nil }
