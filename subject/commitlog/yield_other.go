//go:build !linux

package commitlog

// yield is for systems where the call is known.
func yield() {}
