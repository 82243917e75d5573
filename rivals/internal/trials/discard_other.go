//go:build !linux

package trials

// discard cannot make holes here: what was written is flushed.
func discard(string) error { return nil }
