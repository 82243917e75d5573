// Package crashtest finds out on a real kernel what a log loses: to kill -9,
// and to a power cut, by way of crash images. It measures logs that promise
// less as readily as it holds those to their word that promise more.
//
// A child process opens a log and appends to it from 16 goroutines. Each tells
// in memory that it shares with the parent what was acknowledged to it. The
// parent then kills the child, or copies the file system that it writes to,
// opens the log that is left, and compares.
//
// # Crash images
//
// The log lies on an ext4 of its own in a file, mounted by loop. A copy of
// that file is what the disk had at that moment: everything that was never
// written back is missing from it, as after a power cut. Mounting the copy
// replays the file system's journal. Half of the copies are made while the
// child goes on writing, so that the copy can mix moments; for the other half
// the child is stopped first.
//
// What this cannot see: a missing flush of the disk's own cache, for the loop
// device has none, and a sector that is torn. Package crashdisk tears bytes.
package crashtest
