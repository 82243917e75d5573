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

// Letters that come in runs are looked at as those that come one by one: each wrong one is
// found, wherever it stands, and none else.
func TestRunsAreLookedAt(t *testing.T) {
	for _, c := range []struct {
		name  string
		runs  [][]letter
		right bool
	}{
		{"two authors, mixed", [][]letter{{{0, 1}, {1, 1}, {1, 2}, {0, 2}}, {{0, 3}, {1, 3}}}, true},
		{"one is missing", [][]letter{{{0, 1}, {0, 3}}}, false},
		{"one is missing between runs", [][]letter{{{0, 1}}, {{0, 3}}}, false},
		{"turned round", [][]letter{{{0, 2}, {0, 1}}}, false},
		{"twice", [][]letter{{{0, 1}, {0, 1}}}, false},
		{"cleared", [][]letter{{{1, 1}, {}}}, false},
		{"of the other author", [][]letter{{{0, 1}, {1, 2}}}, false},
	} {
		m := &mail{to: addressee{last: make([]uint32, 2)}}
		n := 0
		for _, run := range c.runs {
			m.to.nextRun(run)
			n += len(run)
		}
		if err := m.check(n); (err == nil) != c.right {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
