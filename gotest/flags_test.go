package gotest

import (
	"slices"
	"testing"
)

func TestBuiltTakesWhatChangesTheFigures(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"-bench", ".", "-cpu", "1,2", "./..."}, []string{"-tags=slow"}},
		{[]string{"-race", "-bench=.", "-benchtime", "100x"}, []string{"-benchtime=100x", "-race", "-tags=slow"}},
		{[]string{"--race=1", "-cover=false", "-gcflags=-N -l", "-test.benchtime=2s"}, []string{"-benchtime=2s", "-gcflags=-N -l", "-race", "-tags=slow"}},
		{[]string{"-race", "-benchtime", "1s", "-benchtime", "2s", "-race=0", "-tags=fast"}, []string{"-benchtime=2s", "-tags=fast"}},
		{[]string{"-short", "-cpuprofile", "a.out"}, []string{"-cpuprofile", "-short", "-tags=slow"}},
		{[]string{"./x", "-args", "-race", "7"}, []string{"-tags=slow", "-args -race 7"}},
	} {
		if got := built(c.args, "-tags=slow -count=1"); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}
