package crashdisk

import (
	"fmt"
	"io/fs"
)

// An Op is what a call asks of the disk.
type Op uint8

// The operations. SyncDir is the Sync of the directory, Sync that of a file;
// Close is of a file or of a lock.
const (
	Create Op = iota + 1
	Open
	Remove
	Rename
	Names
	SyncDir
	Lock
	Read
	Write
	Truncate
	Sync
	Size
	Map
	Direct
	Reserve
	Close
)

var opNames = [...]string{"none", "create", "open", "remove", "rename", "names", "sync directory", "lock",
	"read", "write", "truncate", "sync", "size", "map", "open directly", "reserve", "close"}

// String is the operation in lower case words.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("operation %d", uint8(o))
}

// A Call is one call that reaches the disk.
type Call struct {
	Op     Op
	Name   string // of the file, as it was opened; the old one of a Rename; "" for Names and SyncDir
	To     string // the new name of a Rename
	Offset int64  // of a Read or Write
	Size   int    // bytes of a Read, Write or Map, the new size of a Truncate or Reserve
}

// String is the call for a message, such as "write log 4096+100".
func (c Call) String() string {
	switch c.Op {
	case Names, SyncDir:
		return c.Op.String()
	case Rename:
		return fmt.Sprintf("%v %s to %s", c.Op, c.Name, c.To)
	case Read, Write:
		return fmt.Sprintf("%v %s %d+%d", c.Op, c.Name, c.Offset, c.Size)
	case Truncate:
		return fmt.Sprintf("%v %s to %d", c.Op, c.Name, c.Size)
	}
	return fmt.Sprintf("%v %s", c.Op, c.Name)
}

// A Fault is how a call fails; the zero Fault lets it pass. A faulted call
// has no effect, but for these: a Write takes the first Taken bytes, a Sync or
// SyncDir dooms what is not durable, and a Close closes all the same.
type Fault struct {
	Err   error // what the call returns, inside an *fs.PathError; nil for no fault
	Taken int   // bytes that a Write takes before it fails, at most all of them
}

// SetHook has the hook called before each call takes effect, by the goroutine
// that made the call. A call on a closed file, or with a negative offset or
// size, never reaches the disk. The hook may use the disk itself: an image
// that it takes does not have the effect of the call. Nil removes the hook.
func (d *Disk) SetHook(hook func(Call) Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hook = hook
}

// announce calls the hook, without the lock so that the hook may take an
// image, and returns the error of a faulted call.
func (d *Disk) announce(call Call) error {
	d.mu.Lock()
	hook := d.hook
	d.mu.Unlock()
	return d.ask(hook, call).Err
}

// ask is announce for a caller that has the hook already. The error of the
// fault comes back as the system would wrap it.
func (d *Disk) ask(hook func(Call) Fault, call Call) Fault {
	if hook == nil {
		return Fault{}
	}
	fault := hook(call)
	if fault.Err != nil {
		fault.Err = d.failed(call.Op, call.Name, fault.Err)
	}
	return fault
}

// failed is the error of an operation on a file, in the shape of package os.
func (d *Disk) failed(op Op, name string, err error) error {
	return &fs.PathError{Op: op.String(), Path: d.Path(name), Err: err}
}
