//go:build !linux

package trials

import "os"

// dataSync flushes a file; there is no fdatasync here.
func dataSync(file *os.File) error { return file.Sync() }
