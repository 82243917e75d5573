package cmd

import (
	"slices"
	"testing"
)

func TestBuiltTakesWhatChangesTheFigures(t *testing.T) {
	t.Setenv("GOFLAGS", "-tags=slow -count=1")
	for _, c := range []struct{ args, want []string }{
		{[]string{"-bench", ".", "-cpu", "1,2", "./..."}, []string{"-tags=slow"}},
		{[]string{"-race", "-bench=.", "-benchtime", "100x"}, []string{"-benchtime=100x", "-race", "-tags=slow"}},
		{[]string{"--race=true", "-cover=false", "-gcflags=-N -l", "-test.benchtime=2s"}, []string{"-benchtime=2s", "-gcflags=-N -l", "-race", "-tags=slow"}},
		{[]string{"./x", "-args", "-race"}, []string{"-tags=slow"}},
	} {
		if got := built(c.args); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}
