// Package disk is the seam between the log and the file system: one directory
// and the files in it, with no more than the log asks for, so that a test can
// put a disk of its own beneath that loses power or fails a call.
package disk

import (
	"errors"
	"io"
)

// ErrLocked says that somebody else holds the directory's lock.
var ErrLocked = errors.New("in use by another writer")

// A Dir is one directory. Names are of its files, without a path.
type Dir interface {
	// Close lets go of the directory. Nobody may use it any more; files that are
	// open, and a lock, stay.
	io.Closer
	// Create makes a new, empty file and opens it for reading and writing.
	// It fails with fs.ErrExist if there is one.
	Create(name string) (File, error)
	// Open opens an existing file, for writing too if the directory is not
	// read-only. It fails with fs.ErrNotExist if there is none, and at once if what
	// has the name is a link, a pipe or the like.
	Open(name string) (File, error)
	// Remove removes the name of a file.
	Remove(name string) error
	// Rename gives a file another name and removes what had it, as one step.
	Rename(old, name string) error
	// Names returns the names of all files, sorted.
	Names() ([]string, error)
	// Sync returns once what Create, Remove and Rename did to the names would
	// survive a power cut. It opens no file.
	Sync() error
	// Lock takes the file name as the lock of a writer and makes it if there
	// is none. It fails with ErrLocked, at once, while another holds it. The
	// lock ends when the closer is closed, or its process ends.
	Lock(name string) (io.Closer, error)
	// Mappable reports whether files of that many bytes can be mapped, and space that
	// Reserve made is kept for what is stored there: whoever stores what the disk has
	// no space for is ended by the system. Where that is not known it is false.
	Mappable(size int64) bool
	// Path is where the file of that name is, for messages.
	Path(name string) string
}

// A File is an open file. Its methods may be called by several goroutines.
type File interface {
	io.ReaderAt
	// WriteAt is that of io.WriterAt. Of a write that fails it says how many bytes were taken, or, where
	// the system does not tell, how many may have been.
	io.WriterAt
	io.Closer
	// Size is the number of bytes in the file.
	Size() (int64, error)
	// Truncate makes the file size bytes long; new bytes are zero.
	Truncate(size int64) error
	// Reserve makes the file at least size bytes long and has the disk keep the
	// space. New bytes are zero. It fails with errors.ErrUnsupported where that cannot
	// be had.
	Reserve(size int64) error
	// Sync returns once the bytes written before it, and the file's size,
	// would survive a power cut. The file's name is the directory's affair.
	Sync() error
	// Map makes the first size bytes of the file memory: what is stored there
	// is in the file, as if written, and what is written is seen there. The
	// memory may be larger than the file, but who touches what lies beyond the
	// file's end, or what the disk has no space for, ends the process. It
	// fails with errors.ErrUnsupported where that cannot be had.
	Map(size int64) (*Memory, error)
	// Direct opens the file a second time, to write past the system's cache. It
	// fails with errors.ErrUnsupported where that cannot be had.
	Direct() (Direct, error)
}

// A Direct writes to a file, and reads it, past the system's cache. Offsets, and
// the lengths and addresses of memory, are multiples of its block. As long as
// somebody writes so, nobody should read the file in the usual way: what the
// cache then holds of it can stay when it is no longer what the disk holds.
type Direct interface {
	io.ReaderAt
	io.Closer
	// Block is the unit of writes and reads, in bytes.
	Block() int64
	// WriteSafe writes parts, one behind the other from the offset at on, and
	// returns once they would survive a power cut, with the size of the file and
	// all else it takes to find them. If it fails, each may be there or not, and
	// in part.
	WriteSafe(at int64, parts ...[]byte) error
	// Forget has the system drop what its cache holds of the file.
	Forget() error
}
