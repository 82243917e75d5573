package analysis

import (
	"cmp"
	"testing"
)

func TestNaturally(t *testing.T) {
	ascending := []string{"", "a=2/b=9", "a=2/b=100", "a=10/b=1", "a=010/b=2", "a=off", "a=on", "payload=3", "payload=3B", "payload=128", "payload=1024"}
	for i, a := range ascending {
		for j, b := range ascending {
			if got, want := naturally(a, b), cmp.Compare(i, j); cmp.Compare(got, 0) != want {
				t.Errorf("%q against %q: %d, want %d", a, b, got, want)
			}
		}
	}
}
