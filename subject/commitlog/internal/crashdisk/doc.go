// Package crashdisk is a directory in memory that knows what a power cut may
// leave of it, byte by byte, and lets any call fail. It stands in for a real
// directory (disk.Dir) where a test wants a million crashes, each repeatable
// from its seed.
//
// It is meant to be at least as harsh as any file system that keeps to POSIX,
// so that what survives here survives there. The rules, and the real thing
// behind each:
//
// # Bytes of a file
//
//   - A byte that no unsynced call touched is what the last good Sync made
//     durable. This is all that fsync promises.
//   - A byte that unsynced calls touched is the durable one or the one of any
//     of those calls, for each byte on its own. Caches write pages back in
//     any order and disks write sectors in any order; that a sector of 512
//     bytes is written as a whole is usual, but nobody promises it.
//   - Truncate turns every byte from the smaller size on to zero, and a write
//     beyond the end the bytes between: these zeros are as unsure as written
//     bytes. A truncation may be lost, then the old bytes are back; it may be
//     half done, since a file system zeroes the rest of a block as data and
//     sets the size as metadata.
//   - A byte inside the size that was never written is zero. A file system
//     that shows old blocks of other files instead leaks them; it is left out.
//
// # Size of a file
//
//   - The size is any that the file had since the last good Sync, whatever
//     became of the bytes: size and data travel apart (delayed allocation),
//     and so a file ends in zeros that nobody wrote. A write that extends the
//     file passes through every size on its way, as kernels copy page by page.
//
// # Sync of a file
//
//   - It makes durable what was complete when it was called. While it is
//     under way, nothing of that is certain yet. It says nothing about the
//     file's name: POSIX leaves that to the directory.
//   - A Sync that fails dooms everything unsynced: reads go on to see it, no
//     later Sync makes it durable, and a power cut keeps or loses it. Linux
//     marks pages clean when writing them back failed ("fsyncgate"). Only
//     writing the bytes once more, and a good Sync, makes them durable.
//
// # Names
//
//   - Create, Remove and Rename take effect at a power cut or they do not,
//     each on its own, until the directory's Sync: file systems without a
//     journal write directory blocks in any order. An operation that came
//     after a lost one and touches one of its names or files is lost with it,
//     because it could not have been done on what the disk holds.
//   - Rename is one step: never both names, never neither. POSIX asks for it.
//   - A file whose removal is lost is back, with the bytes that its own rules
//     leave of it.
//   - A Sync of the directory that fails dooms the operations as that of a
//     file does: a later good Sync settles only operations made since, and
//     those before it that they build on.
//
// # A killed process
//
//   - It leaves every byte and every name, because those are the kernel's,
//     and what was not synced or was doomed is so still. Locks end. A write
//     that the kill cuts short is a write with a Fault that takes a part.
//
// Not modelled: bytes that rot (see SetBytes), a disk that lies about its
// cache, and an operation on names that reports an error but was done.
package crashdisk
