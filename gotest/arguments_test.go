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
