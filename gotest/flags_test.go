package gotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestBuiltTakesWhatChangesTheFigures(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"-bench", ".", "-cpu", "1,2", "./..."}, []string{"-tags=slow"}},
		{[]string{"-race", "-bench=.", "-benchtime", "100x"}, []string{"-benchtime=100x", "-race", "-tags=slow"}},
		{[]string{"--race=1", "-cover=false", "-gcflags=-N -l", "-test.benchtime=2s"}, []string{"-benchtime=2s", "-gcflags=-N -l", "-race", "-tags=slow"}},
		{[]string{"-race", "-benchtime", "1s", "-benchtime", "2s", "-race=0", "-tags=fast"}, []string{"-benchtime=2s", "-tags=fast"}},
		{[]string{"-gcflags=a=-N", "-race", "-gcflags", "fmt=-l"}, []string{"-gcflags=a=-N", "-gcflags=fmt=-l", "-race", "-tags=slow"}},
		{[]string{"-short", "-cpuprofile", "a.out"}, []string{"-cpuprofile", "-short", "-tags=slow"}},
		{[]string{"-coverprofile", "a.out"}, []string{"-coverprofile", "-tags=slow"}},
		{[]string{"./x", "-args", "-race", "7"}, []string{"-tags=slow", "-args -race 7"}},
		{[]string{"-us=3", "-bench", "-x", "-count=2"}, []string{"-tags=slow", "-args -us=3"}},
		{[]string{"./x", "-us", "3", "-race"}, []string{"-race", "-tags=slow", "-args -us 3"}},
		{[]string{"-us=3", ".", "-race"}, []string{"-tags=slow", "-args -us=3 . -race"}}, // go test hands on all three
		{[]string{"./x", "--", "-us=3"}, []string{"-tags=slow", "-args -- -us=3"}},
		{[]string{"./x", "-v", "./y", "-race"}, []string{"-tags=slow", "-args ./y -race"}},
		{[]string{"-us", "-race", "./x", "--", "-short"}, []string{"-race", "-tags=slow", "-args -us ./x -- -short"}},
	} {
		if got := built(c.args, "-tags=slow -count=1 -ux"); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

// A flag of go test that is not known here would be taken for the benchmarks' own.
func TestFlagsOfThisGoAreKnown(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src/cmd/go/internal/test/flagdefs.go"))
	if err != nil {
		t.Skip(err)
	}
	forwarded := regexp.MustCompile(`(?s)passFlagToTest = .*?\n}`).Find(text)
	names := regexp.MustCompile(`"(\w+)": +true`).FindAllSubmatch(forwarded, -1)
	if len(names) < 20 {
		t.Fatalf("%d flags in flagdefs.go", len(names))
	}
	for _, name := range names {
		if flagKinds[string(name[1])] == 0 {
			t.Errorf("-%s is not known", name[1])
		}
	}
}
