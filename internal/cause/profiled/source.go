package profiled

import "embed"

//go:embed recording.go
var source embed.FS

// Source returns what takes profiles, for package gotest, which compiles it inside a package
// that can import nothing of ours.
func Source() embed.FS { return source }
