//go:build !unix || solaris || aix

package cmd

import "os"

// tryLock cannot tell here who is alive: nothing passes for dead.
func tryLock(*os.File) (bool, error) { return false, nil }
