//go:build !unix

package disk

// WriteAt says of a write that failed that all of it may have been taken: os.File leaves out
// which part was.
func (f osFile) WriteAt(b []byte, off int64) (taken int, err error) {
	if taken, err = f.File.WriteAt(b, off); err != nil {
		taken = len(b)
	}
	return taken, err
}
