//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package disk

import (
	"io"
	"os"
)

// Lock only makes the file: there is no lock here, and two writers are not
// kept apart.
func (d *osDir) Lock(name string) (io.Closer, error) {
	return d.openFile(name, os.O_RDWR|os.O_CREATE)
}
