//go:build !((darwin || linux) && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x))

package disk

import "errors"

// Map is left out where a mapping and writes to the file are not known to see
// one another, and where address space is short.
func (f osFile) Map(int64) (*Memory, error) { return nil, errors.ErrUnsupported }

// Anonymous returns memory of no file, as Aligned does.
func Anonymous(size int64) *Memory { return &Memory{bytes: Aligned(size, Alignment)} }
