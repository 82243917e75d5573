// Package crashtest finds out what a log really loses when its process is
// killed and when the power is cut, on a real kernel and a real file system.
//
// Both rigs run the same workload: a child process opens a log and appends to
// it from 16 goroutines. Every value names its goroutine and its place in that
// goroutine's sequence, and the rest of it follows from these two. After each
// Append that returned nil, the goroutine notes in memory that it shares with
// the parent how far it has got and which index it was given. Then the crash
// comes, the parent opens the log, reads it from end to end and compares.
//
// [Kills] ends the child by SIGKILL at a random moment. What the kernel has by
// then, it keeps. It need not have the whole of a write(2): one that crosses a
// page of the file may stop there, so that one kill in a hundred leaves a torn
// record even where nothing is buffered.
//
// [Images] gives the child a small ext4 of its own, in an image file behind a
// loop device, and takes what a power cut would have left of it, in one of
// three ways (see [Mode]). Before half of the images, at random, it makes the
// kernel write back some part of the log early, as it is free to do at any time.
// The image is mounted, which replays the file system's journal, and the log in
// it is opened and compared.
//
// # What the rigs can see, and what they cannot
//
// A crash image lacks whatever ext4 had not yet written to its block device:
// data that waits in the page cache, and metadata whose transaction is not
// committed. A log that forgets fdatasync, or the directory's fsync, or does
// either after it has acknowledged, is caught.
//
// The loop device passes each write on to the page cache of the image file,
// where the rig reads it, whether or not it ever reaches the disk below. So
// the rig acts like a disk without a volatile cache of its own. It cannot see
// a flush of the device's cache that is missing, nor writes that a disk would
// reorder between two flushes, nor sectors torn by the cut itself. It sees
// one file system, with its default options.
//
// Kills cannot see what only a power cut loses. A value is at most 612 bytes
// long, and no append fails: full disks and failing ones are the business of
// other tests.
//
// The times are real, so that a seed repeats the delays and not the outcome.
// What broke a promise is kept, as it was before it was opened.
//
// # When not to use it
//
// It needs Linux, and Images also root, e2fsprogs and loop devices. It starts
// processes and mounts file systems: it is for tests, and for a command that
// makes the durability table. Package logtest asks a log for its contract, in
// milliseconds and everywhere; begin there.
package crashtest
