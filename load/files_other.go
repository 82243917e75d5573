//go:build !unix

package load

// EnoughFiles knows of no limit here.
func EnoughFiles(int) error { return nil }
