package analysis

import (
	"cmp"
	"strings"
)

// naturally compares names so that payload=3 comes before payload=128: runs of
// digits count as numbers.
func naturally(a, b string) int {
	whole := cmp.Compare(a, b)
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		a, b = a[len(x):], b[len(y):]
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if order := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// digits returns the digits that text starts with.
func digits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}
