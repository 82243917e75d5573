//go:build !linux

package disk

import "sync"

// Zeros returns MostZeros bytes that are zero for ever, and that nobody may store to.
var Zeros = sync.OnceValue(func() []byte { return Aligned(MostZeros, Alignment) })
