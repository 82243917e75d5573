// Package ext4 makes file systems in files: they are mounted by a loop device, and
// cut off from it as a power cut would. It needs Linux, root and e2fsprogs.
package ext4
