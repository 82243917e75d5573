package disk

import "golang.org/x/sys/unix"

// Mappable knows ext4 and tmpfs. Others make a copy of what is written over: always,
// as btrfs, ZFS and bcachefs do, or once it is shared, as XFS does after cp --reflink.
// What lies beneath overlayfs, FUSE or a network is not told.
func (d *osDir) Mappable(int64) bool {
	var info unix.Statfs_t
	if ignoringInterrupts(func() error { return unix.Fstatfs(int(d.self.Fd()), &info) }) != nil {
		return false
	}
	return info.Type == unix.EXT4_SUPER_MAGIC || info.Type == unix.TMPFS_MAGIC
}
