package gotest

import (
	"slices"
	"testing"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, chdir, rest, overlay []string }{
		{nil, nil, nil, nil},
		{args: []string{"-bench", ".", "./..."}, rest: []string{"-bench", ".", "./..."}},
		{args: []string{"-C", "dir", "-v"}, chdir: []string{"-C", "dir"}, rest: []string{"-v"}},
		{args: []string{"--C=dir", "-v"}, chdir: []string{"--C=dir"}, rest: []string{"-v"}},
		{args: []string{"-v", "-C", "dir"}, rest: []string{"-v", "-C", "dir"}}, // go test says what is wrong
		{args: []string{"-C"}, chdir: []string{"-C"}},
		{args: []string{"-overlay", "o", "p"}, rest: []string{"p"}, overlay: []string{"o"}},
		{args: []string{"p", "--overlay=o=p"}, rest: []string{"p"}, overlay: []string{"o=p"}},
		{args: []string{"-overlay"}, rest: []string{"-overlay"}},
		{args: []string{"-args", "-overlay=o"}, rest: []string{"-args", "-overlay=o"}},
	} {
		a := parseArguments(c.args)
		if !slices.Equal(a.chdir, c.chdir) || !slices.Equal(a.rest, c.rest) || a.overlay != append(c.overlay, "")[0] {
			t.Errorf("%q: %+v", c.args, a)
		}
	}
}

func TestGoflags(t *testing.T) {
	for flags, want := range map[string]string{
		"": "", "-mod=mod -v": "", "-overlay=a": "a", "-v  --overlay=a -overlay=b": "b",
		`'-overlay=a b' -v`: "a b", `"-overlay=a'b"`: "a'b",
	} {
		if got, err := goflagsOverlay(flags); got != want || err != nil {
			t.Errorf("%s: %q, %v", flags, got, err)
		}
	}
	if _, err := goflagsOverlay("'-overlay=a"); err == nil {
		t.Error("an open quote was closed")
	}
}

func TestCountOfRepetitions(t *testing.T) {
	for _, c := range []struct {
		goflags string
		args    []string
		want    int
	}{
		{"", nil, 1},
		{"", []string{"-bench", ".", "-count", "6", "./..."}, 6},
		{"", []string{"./...", "--count=6", "-test.count=7"}, 7},
		{"-v -count=3", []string{"-bench=."}, 3},
		{"-count=3", []string{"-count=6"}, 6},
		{"", []string{"-args", "-count=6"}, 1},
		{"", []string{"-count=2", "-args", "-test.count=6"}, 6},
		{"", []string{"-count=2", "./...", "-us", "3", "-args", "-v", "-test.count", "6"}, 6},
		{"", []string{"-count=2", "-args", "a", "-test.count=6"}, 2}, // a word ends the flags
		{"", []string{"-count=2", "-args", "--", "-test.count=6"}, 2},
		{"", []string{"-count=2", "--", "-test.count=6"}, 2},
		{"", []string{"-count=2", "./...", "-v", "a", "-count=6"}, 2},
		{"-tags=a", []string{"-run", "-count=6", "-count=2"}, 2},
		{"", []string{"-count=0x3"}, 3},
		{"", []string{"-count=010", "."}, 8},
		{"-count=0b11", []string{"-count", "0o1_7"}, 15},
		{"", []string{"-args", "-test.count=0x3"}, 3},
		{"", []string{"-count=many"}, 0},
		{"", []string{"-count=-3"}, 0},
		{"", []string{"-count=08"}, 0},
		{"", []string{"-args", "-test.count=0xffffffffffffffff"}, 0},
		{"", []string{"-count"}, 1},
	} {
		if got := parseArguments(c.args).count(c.goflags); got != c.want {
			t.Errorf("%q %q: %d, want %d", c.goflags, c.args, got, c.want)
		}
	}
}
