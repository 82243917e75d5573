// Package commitlog is an append-only log: entries go in at the end, get the
// next index, and never change again. The log thereby fixes the order of
// events, for any number of goroutines that append to it at once.
//
// Open a log, append, and get back by index:
//
//	log, err := commitlog.OpenFile("events.log", commitlog.FileOptions{})
//	if err != nil {
//		return err
//	}
//	index, err := log.Append([]byte("foo")) // 0, then 1, then 2
//	entry, err := log.Get(index)            // entry.Value is a copy: yours
//	err = log.Close()
//
// # Backends and what they promise
//
// All logs are one total order and linearizable: the effect of an Append is
// seen by every Get that begins after it returned. They differ in what an
// entry survives once its Append has returned nil:
//
//	OpenMemory                             nothing
//	OpenFile, FileOptions{}                process-crash
//	OpenFile, FileOptions{Durable: true}   power-cut
//	NewAsync over any of them              nothing, until Flush or Close
//
// "process-crash" means that the operating system has the bytes: a killed
// process loses no entry, a power cut may lose any. After a power cut such a
// log can even refuse to open, since later parts of a file may have reached
// the disk before earlier ones. "power-cut" means that the disk has said that
// it has them. Durable appends that run at the same time share a flush, so
// that 64 goroutines get far more done than one.
//
// Package leveldb beside this one is a backend on LevelDB; package logtest
// holds any backend, yours included, to its promise.
//
// # Errors
//
// Errors say what was tried: "append entry 7: write events.log: no space left
// on device". Test them with errors.Is for [ErrNotFound], [ErrClosed] and
// [ErrTooLarge], and with errors.As for a [*CorruptError].
//
// # When not to use it
//
// There is no deletion, no truncation and no compaction: a log only grows,
// and opening a file reads all of it. A File keeps eight bytes of memory for
// each entry. Nothing locks the file against a second process. An entry is at
// most [MaxValueSize] long. Where these matter, use a database, or a log that
// has segments. Do not use Async for what must not be lost.
//
// # How the interface departs from the documents
//
// The design this package started from had four methods:
//
//	Open(path string) error
//	Append(value []byte) error
//	Get(index int) (*Entry, error)
//	Close() error
//
// It lives on, unchanged, in package naive. Here
//
//   - opening is a function of each backend, since a log in memory has no
//     path and a log on disk has settings, and since a value that exists but
//     is not open yet only adds states in which every method must fail;
//   - Append returns the index, since the caller of a concurrent log has no
//     other way to learn where its entry went;
//   - Get takes a uint64, which has no negative values to refuse, and returns
//     an Entry and not a pointer to one, since a pointer into the log would
//     let a reader change it.
package commitlog
