//go:build !linux

package turn

// yield is for systems where the call is known.
func yield() {}
