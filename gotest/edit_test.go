package gotest

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// releases are what the edit is held to, besides the Go that runs the tests.
var releases = []string{"go1.22.12", "go1.23.12", "go1.24.13", "go1.25.8"}

// eachRelease runs a test in each Go that is at hand. One that is not in the
// module cache is skipped, but required (and then downloaded) by make check.
func eachRelease(t *testing.T, test func(t *testing.T, root string)) {
	t.Run(runtime.Version(), func(t *testing.T) { test(t, goEnv(t, "GOROOT")) })
	if testing.Short() || racing.Detector { // which sees nothing of the go command's processes
		return
	}
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			cached := filepath.Join(goEnv(t, "GOMODCACHE"), "golang.org", "toolchain@v0.0.1-"+release+"."+runtime.GOOS+"-"+runtime.GOARCH)
			if _, err := os.Stat(cached); err != nil && os.Getenv("SYNCWRITE_REQUIRE") != "1" {
				t.Skipf("%s is not in the module cache; GOTOOLCHAIN=%s go version brings it there", release, release)
			}
			t.Setenv("GOTOOLCHAIN", release)
			if got := goEnv(t, "GOVERSION"); got != release {
				t.Fatalf("Go is %s", got)
			}
			test(t, goEnv(t, "GOROOT"))
		})
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	var stderr bytes.Buffer
	c := exec.Command("go", "env", name)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go env %s: %v\n%s", name, err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out))
}

func original(t *testing.T, root string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The user's file stays: every line where it was, and each edited one still
// holds what it held, but for two names.
func TestEditKeepsTheFile(t *testing.T) {
	eachRelease(t, func(t *testing.T, root string) {
		before := original(t, root)
		after, err := Edit(before)
		if err != nil {
			t.Fatal(err)
		}
		was, is := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
		if len(is) < len(was) {
			t.Fatal("lines are missing")
		}
		changed := 0
		for i, line := range was {
			if line == is[i] {
				continue
			}
			changed++
			old := strings.NewReplacer("syncwriteGoNext", "Next", "syncwriteGoRunParallel", "RunParallel").Replace(is[i])
			for _, word := range strings.Fields(line) {
				if !strings.Contains(old, word) {
					t.Errorf("line %d was %q, is %q", i+1, line, is[i])
				}
			}
		}
		if changed == 0 || changed > 15 {
			t.Errorf("%d lines changed", changed)
		}
	})
}

// The timer does not time what it tells us: a start is told before it reads the clock, a stop behind that.
func TestTheTimerLeavesOursOut(t *testing.T) {
	told := regexp.MustCompile(`(?s)\) StartTimer\(\) \{[^}]*b\.syncwriteOnStart\(\); b\.start = [^}]*\}.*\) StopTimer\(\) \{[^}]*b\.duration \+= [^\n]*; b\.syncwriteOnStop\(\)\n`)
	eachRelease(t, func(t *testing.T, root string) {
		after, err := Edit(original(t, root))
		if err != nil {
			t.Fatal(err)
		}
		if !told.Match(after) || bytes.Count(after, []byte("b.syncwriteOnStart()")) != 1 || bytes.Count(after, []byte("b.syncwriteOnStop()")) != 1 {
			t.Error("the timer tells at another place")
		}
	})
}

// What we add has names of its own, exported ones least of all.
func TestAdditionHidesItsNames(t *testing.T) {
	text, _, err := addition()
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "added.go", "package testing\n"+string(text), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	(&part{&editor{source: []byte("package testing\n" + string(text)), set: set, file: f}}).declares(names)
	for name := range names {
		if !strings.HasPrefix(name, prefix) && name != "goRunParallel" && name != "goNext" {
			t.Errorf("package testing gets a %s", name)
		}
	}
}

// The fast path of Next must be inlined: as a call it costs three times the
// original.
func TestNextIsInlined(t *testing.T) {
	costs := regexp.MustCompile(`can inline \(\*PB\)\.Next with cost (\d+)`)
	eachRelease(t, func(t *testing.T, root string) {
		r := runner{Config: Config{Cache: t.TempDir()}, work: t.TempDir()}
		command := filepath.Join(root, "bin", "go")
		goes, err := findToolchain(t.Context(), command, arguments{})
		if err != nil {
			t.Fatal(err)
		}
		overlay, err := r.overlay(&goes)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(goes.command, "build", "-overlay="+overlay, "-gcflags=-m=2", "testing")
		c.Dir = sample
		c.Env = append(os.Environ(), goes.env...)
		out, err := c.CombinedOutput()
		found := costs.FindSubmatch(out)
		if err != nil || found == nil {
			t.Fatalf("Next is not inlined: %v\n%.2000s", err, out)
		}
		if cost, _ := strconv.Atoi(string(found[1])); cost > 80 {
			t.Errorf("cost %d", cost)
		}
	})
}

// A file that lacks an anchor is told apart from one that has all.
func TestAnchors(t *testing.T) {
	text := original(t, goEnv(t, "GOROOT"))
	for _, c := range []struct{ old, new, missing string }{
		{"func (pb *PB) Next() bool", "func (p *PB) Next() bool", "PB.Next"},
		{"RunParallel(body func(*PB))", "RunInParallel(body func(*PB))", "B.RunParallel"},
		{"r := b.doBench()", "r := b.bench()", "r := b.doBench() in processBench"},
		{"type PB struct", "type PBs struct", "struct PB"},
		{"\ttimerOn ", "\ttiming ", "B.timerOn"},
		{") StopTimer()", ") HaltTimer()", "B.StopTimer"},
		{"\td         time.Duration", "\tlength    time.Duration", "durationOrCountFlag.d"},
		{"b.start = ", "b.begun = ", "b.start in B.StartTimer"},
		{"b.duration += ", "b.ran += ", "b.duration in B.StopTimer"},
		{"labelsOnce.Do(", "labelsAlways.Do(", "labelsOnce.Do"},
		{"func runBenchmarks(importPath", "func runBenchmarks(path", "runBenchmarks(importPath, …)"},
		{"package testing", "package", "expected 'IDENT'"},
	} {
		if !bytes.Contains(text, []byte(c.old)) {
			t.Errorf("%q is not in the file", c.old)
		}
		_, err := Edit(bytes.ReplaceAll(text, []byte(c.old), []byte(c.new)))
		if !errors.Is(err, ErrAnchor) || !strings.Contains(err.Error(), c.missing) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}
