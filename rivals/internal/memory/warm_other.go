//go:build !linux

package memory

// Hold leaves memory as it is where nobody has seen it get cold.
func Hold(int64) (release func() error, err error) { return func() error { return nil }, nil }
