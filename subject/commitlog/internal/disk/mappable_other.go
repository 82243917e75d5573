//go:build !linux

package disk

// Mappable is for Linux alone.
func (d *osDir) Mappable(int64) bool { return false }
