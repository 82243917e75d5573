package set_test

import (
	"testing"

	"github.com/syncwrite/syncwrite/subject/set"
)

// What the base costs beside a bare map, and the lock beside the base.
func BenchmarkOne(b *testing.B) {
	const mask = 1<<12 - 1
	bare, plain, safe := map[int]struct{}{}, set.NewNonTS[int](), set.New[int]()
	through := hidden(set.New[int]())
	for i := range mask + 1 {
		bare[i] = struct{}{}
		plain.Add(i)
		safe.Add(i)
		through.Add(i)
	}
	i := 0
	for name, do := range map[string]func(int){
		"add/map":            func(i int) { bare[i] = struct{}{} },
		"add/SetNonTS":       func(i int) { plain.Add(i) },
		"add/Set":            func(i int) { safe.Add(i) },
		"add/Interface":      func(i int) { through.Add(i) },
		"contains/map":       func(i int) { _, found = bare[i] },
		"contains/SetNonTS":  func(i int) { found = plain.Contains(i) },
		"contains/Set":       func(i int) { found = safe.Contains(i) },
		"contains/Interface": func(i int) { found = through.Contains(i) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				do(i & mask)
				i++
			}
		})
	}
}

var found bool

// hidden keeps the compiler from seeing what is behind the interface.
//
//go:noinline
func hidden(s set.Interface[int]) set.Interface[int] { return s }
