//go:build !linux

package experiments

import "os"

// dataSync flushes a file; there is no fdatasync here.
func dataSync(file *os.File) error { return file.Sync() }
