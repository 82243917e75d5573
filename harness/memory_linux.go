package harness

import "syscall"

// memoryAt names the file system of a directory if it lives in memory, by what
// statfs(2) says: that needs no /proc.
func memoryAt(dir string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return ""
	}
	switch uint32(s.Type) {
	case 0x01021994:
		return "tmpfs"
	case 0x858458f6:
		return "ramfs"
	}
	return ""
}
