package cause

import "embed"

//go:embed latencies.go
var source embed.FS

// Source returns what reads the runtime's histogram of waits, for package gotest, which compiles
// it inside a package that can import nothing of ours.
func Source() embed.FS { return source }
