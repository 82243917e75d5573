//go:build !linux

package disk

// InPlace is not known: APFS shares the blocks of clones and snapshots.
func (d *osDir) InPlace() bool { return false }
