package hist

import "embed"

// The hot path and what it takes to read a histogram off. These files import
// math and math/bits alone, and use no Go newer than 1.22.
//
//go:embed record.go hist.go quantile.go carried.go raw.go
var source embed.FS

// Source returns the files of this package that stand on their own. Package
// gotest compiles them inside a package that can import nothing of ours, so that
// there is one histogram and not two.
func Source() embed.FS { return source }
