package pace

import _ "unsafe" // for go:linkname

// nanotime is the runtime's monotonic clock in nanoseconds, which alarms go by.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64
