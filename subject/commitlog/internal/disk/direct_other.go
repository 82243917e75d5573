//go:build !linux

package disk

import "errors"

// Direct is not to be had: other systems leave the cache out in ways of their
// own, or not at all.
func (f osFile) Direct() (Direct, error) { return nil, errors.ErrUnsupported }
