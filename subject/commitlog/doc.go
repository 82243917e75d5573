// Package commitlog is an append-only log: entries go in at the end, get the
// next index, and never change again. The log thereby fixes the order of
// events, for any number of goroutines that append to it at once.
//
// Open a log, append, and get back by index:
//
//	log, err := commitlog.OpenFile("events", commitlog.FileOptions{})
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
//	OpenMemory                                   nothing
//	OpenFile, FileOptions{}                      process-crash
//	OpenFile, FileOptions{Durability: Interval}  process-crash; power-cut, but for the last interval
//	OpenFile, FileOptions{Durability: Always}    power-cut
//	NewAsync over any of them                    nothing, until Flush or Close
//
// "process-crash" means that the operating system has the bytes: a killed
// process loses no entry, a power cut may lose any that were not flushed, and
// only those. "power-cut" means that the disk has said that it has them.
// Durable appends that run at the same time share a flush, so that 64
// goroutines get far more done than one; on Linux they go past the system's
// cache where the file system lets them. The others are stored into a mapped
// file, and make no system call, where space that was written once stays kept
// (ext4 and tmpfs on Linux); elsewhere each is a write. Sync makes what was
// appended so far survive a power cut with any Durability.
//
// After a crash a log opens as a beginning of what was appended to it, which
// has all that was promised; a batch is there whole or not at all. These
// promises are made on Linux and for local file systems; docs/method.md of the
// project says what they are assumed to do, and what was measured. Elsewhere
// Sync is what os.File.Sync can do.
//
// Package leveldb beside this one is a backend on LevelDB; package logtest
// holds any backend, yours included, to its promise.
//
// # What a File offers
//
// It is a directory of segments. AppendBatch adds entries as one.
// TruncatePrefix and TruncateSuffix drop entries from either end, for good.
// Entries iterates, a Reader follows the end and waits for more. Metrics tells
// how long flushes take, how many entries share one, and how many wait. Verify
// reads every byte of a log on disk, Salvage what can be read of a damaged one,
// and Repair makes it open again without giving up an entry that Verify can read;
// `syncwrite commitlog` does so from the command line.
//
// # Errors
//
// Errors say what was tried: "append entry 7: write events/…segment: no space
// left on device". Test them with errors.Is for [ErrNotFound], [ErrTruncated],
// [ErrClosed], [ErrTooLarge] and [ErrLocked], and with errors.As for a
// [*CorruptError].
//
// A full disk is an error of the append that met it, which is undone; so is a
// quota that is used up, or a limit to a file's size. Truncating a log takes a few
// kilobytes until it gives any back. After a failed flush, or where the manifest's new
// name was given with an error, no append succeeds until the log is opened anew. The
// same holds if the limit to a file's size is lowered while a durable log is open, below
// the space it has made ready: then a flush meets the limit. A disk that cannot read or
// take a page of a mapped file ends the process with SIGBUS; no acknowledged entry is
// lost by that.
//
// # Limits, and when not to use it
//
// A value has at most [MaxValueSize] bytes, a batch [MaxBatchSize], a segment
// [MaxSegmentSize] but where one batch needs more. A segment keeps address space, and
// a file open until it is sealed, or for good where files cannot be mapped; one that is not
// full also four bytes of memory for each entry. Linux lets a process have 65,530 pieces of
// address space unless vm.max_map_count says otherwise: where its logs have nearly as many
// segments the Go runtime finds no memory and ends the process, so ask for larger ones. A log
// whose appends are not stored into a mapped file keeps the newest 8 to 10 MiB of its last
// segment in memory. Where it writes past the system's cache, what is older is read from the
// disk, which takes 0.1 ms and more, until its segment has a table and it was read once.
// What was mapped is let go of by the garbage collector once no Get reads it any
// more, so that the space of a file that was truncated, or the directory of a log
// that was closed, can be in use for a little longer. The files of a log belong
// together: one that is put back from an older copy can undo truncations since
// then, and nothing tells. One process writes at a
// time, and reads; there is no reader in another process but Verify and
// Salvage. There is no compaction by key and no replication: where these matter,
// use a database, or a server that has them. Do not use Async for what must not
// be lost, nor before a log that makes nobody wait: it has no queue there, and is
// of no use.
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
