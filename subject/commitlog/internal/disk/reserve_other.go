//go:build !linux

package disk

import "errors"

// Reserve is for Linux alone.
func (f osFile) Reserve(int64) error { return errors.ErrUnsupported }
