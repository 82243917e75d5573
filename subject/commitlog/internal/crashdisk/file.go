package crashdisk

import (
	"errors"
	"io"
	"io/fs"
)

// maxSize is where files end. A log that asks for more has lost its way, and
// is told so instead of taking the machine's memory.
const maxSize = 1 << 30

var (
	errTooLarge = errors.New("file too large")
	errNegative = errors.New("negative offset or size")
)

// A file is an open file. It stays with its node, whatever becomes of the name.
type file struct {
	disk   *Disk
	node   *node
	name   string
	direct bool // it is that of a direct
	closed bool // guarded by disk.mu
}

// begin returns what a call needs that may yet fail: the hook, and the last
// edit at the time of the call, as a Sync covers what was complete then.
func (f *file) begin(op Op) (mark uint64, hook func(Call) Fault, err error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return 0, nil, f.disk.failed(op, f.name, fs.ErrClosed)
	}
	if f.node.directs > 0 && !f.direct && (op == Read || op == Write || op == Truncate || op == Map) {
		f.node.mixed = true
	}
	f.node.collect()
	return f.node.seq, f.disk.hook, nil
}

// announce is begin and the hook, for calls without effect if they fail.
func (f *file) announce(call Call) error {
	_, hook, err := f.begin(call.Op)
	if err != nil {
		return err
	}
	call.Name = f.name
	return f.disk.ask(hook, call).Err
}

// check refuses what lies outside every file.
func (f *file) check(op Op, off int64, size int) error {
	switch {
	case off < 0:
		return f.disk.failed(op, f.name, errNegative)
	case off > maxSize || size > maxSize-int(off):
		return f.disk.failed(op, f.name, errTooLarge)
	}
	return nil
}

// ReadAt sees every write, synced or not.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, f.disk.failed(Read, f.name, errNegative)
	}
	if err := f.announce(Call{Op: Read, Offset: off, Size: len(p)}); err != nil {
		return 0, err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	var n int
	if off < int64(len(f.node.now)) {
		n = copy(p, f.node.now[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt is short only if it is faulted.
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	if err := f.check(Write, off, len(p)); err != nil {
		return 0, err
	}
	_, hook, err := f.begin(Write)
	if err != nil {
		return 0, err
	}
	fault := f.disk.ask(hook, Call{Op: Write, Name: f.name, Offset: off, Size: len(p)})
	taken := len(p)
	if fault.Err != nil {
		taken = min(max(fault.Taken, 0), len(p))
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.collect()
	f.node.write(p[:taken], int(off))
	f.node.refresh(int(off), int(off)+taken, nil)
	return taken, fault.Err
}

func (f *file) Size() (int64, error) {
	if err := f.announce(Call{Op: Size}); err != nil {
		return 0, err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return int64(len(f.node.now)), nil
}

func (f *file) Truncate(size int64) error {
	if err := f.check(Truncate, size, 0); err != nil {
		return err
	}
	if err := f.announce(Call{Op: Truncate, Size: int(size)}); err != nil {
		return err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.collect()
	f.node.truncate(int(size))
	f.node.hide()
	return nil
}

// Reserve is a Truncate that makes no file shorter.
func (f *file) Reserve(size int64) error {
	if err := f.check(Reserve, size, 0); err != nil {
		return err
	}
	if err := f.announce(Call{Op: Reserve, Size: int(size)}); err != nil {
		return err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.collect()
	if size > int64(len(f.node.now)) {
		f.node.truncate(int(size))
	}
	return nil
}

// Sync makes durable what was complete when it was called, by whichever open
// file; if it fails, it dooms what is pending when it returns.
func (f *file) Sync() error {
	mark, hook, err := f.begin(Sync)
	if err != nil {
		return err
	}
	err = f.disk.ask(hook, Call{Op: Sync, Name: f.name}).Err
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.collect()
	if err != nil {
		f.node.doom()
		return err
	}
	f.node.settle(mark)
	return nil
}

// Close makes nothing durable. The file is closed even if it fails.
func (f *file) Close() error {
	_, hook, err := f.begin(Close)
	if err != nil {
		return err
	}
	err = f.disk.ask(hook, Call{Op: Close, Name: f.name}).Err
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.closed = true
	return err
}
