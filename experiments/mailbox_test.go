package experiments

import "testing"

// A letter that was lost and cleared on the way is found, though it looks like none.
func TestClearedLetterIsFound(t *testing.T) {
	m := &mail{to: addressee{last: make([]uint32, 1)}}
	m.to.next(letter{})
	if m.check(1) == nil {
		t.Error("a cleared letter passed")
	}
}
