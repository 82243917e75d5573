package gotest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

const sample = "testdata/sample"

// ran is a run of the sample: its outcome, and its lines by name.
type ran struct {
	Outcome
	stdout, stderr string
	results        map[string]*benchfmt.Result
}

func runSample(t *testing.T, args ...string) ran {
	t.Helper()
	return runConfig(t, Config{}, args...)
}

func runConfig(t *testing.T, c Config, args ...string) ran {
	t.Helper()
	r := runUnread(t, c, args...)
	in := benchfmt.NewReader(strings.NewReader(r.stdout), "go test")
	for in.Scan() {
		switch line := in.Result().(type) {
		case *benchfmt.SyntaxError:
			if strings.HasPrefix(line.Msg, "missing") {
				t.Errorf("not the benchmark format: %v", line)
			}
		case *benchfmt.Result:
			r.results[string(line.Name)] = line.Clone()
		}
	}
	return r
}

// runUnread runs the sample and reads no lines: of what has no result go test prints none that
// are of the benchmark format.
func runUnread(t *testing.T, c Config, args ...string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c.Args, c.Cache, c.Stdout, c.Stderr = append([]string{"-C", sample}, args...), t.TempDir(), &stdout, &stderr
	outcome, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return ran{outcome, stdout.String(), stderr.String(), map[string]*benchfmt.Result{}}
}

// value is a figure in the unit it was printed in.
func (r ran) value(t *testing.T, name, unit string) float64 {
	t.Helper()
	v, ok := r.find(name, unit)
	if !ok {
		t.Errorf("%s has no %s\n%s", name, unit, r.stdout)
	}
	return v
}

func (r ran) find(name, unit string) (float64, bool) {
	if result := r.results[name]; result != nil {
		for _, v := range result.Values {
			if v.OrigUnit == unit {
				return v.OrigValue, true
			}
			if v.OrigUnit == "" && v.Unit == unit {
				return v.Value, true
			}
		}
	}
	return 0, false
}

const nap = 1e6 // ns the sample's operations sleep: no load makes them shorter

// Each kind of benchmark, in each Go.
func TestSample(t *testing.T) {
	eachRelease(t, func(t *testing.T, root string) {
		r := runSample(t, "-bench=.", "-benchtime=50x", "-cpu=2", "-benchmem", ".")
		if r.ExitCode != 0 || r.Plain != nil || r.stderr != "" {
			t.Fatalf("exit code %d, %v\n%s%s", r.ExitCode, r.Plain, r.stdout, r.stderr)
		}
		if config := r.results["Parallel-2"].GetConfig("ns-op"); config != "goroutine-time" {
			t.Errorf("ns-op: %q", config)
		}
		for name, goroutines := range map[string]float64{
			"Parallel-2": 2, "Four-2": 8, "Sub/size=1-2": 2, "Reset-2": 2, "Stopped-2": 2, "Own-2": 2,
		} {
			r.parallel(t, name, goroutines)
		}
		r.own(t)
		r.timers(t)
		r.serial(t)
		r.trials(t)
	})
}

// parallel holds a benchmark of sleeps to what holds under any load.
func (r ran) parallel(t *testing.T, name string, goroutines float64) {
	t.Helper()
	if got := r.value(t, name, "goroutines"); got != goroutines {
		t.Errorf("%s: %v goroutines, want %v", name, got, goroutines)
	}
	ns, wall := r.value(t, name, "ns/op"), r.value(t, name, "wall-ns/op")
	if ns < nap || ns > wall*goroutines*1.001 {
		t.Errorf("%s: %v ns/op and %v wall-ns/op of a sleep of %v in %v goroutines", name, ns, wall, nap, goroutines)
	}
	if ops := r.value(t, name, "ops/s"); ops < 0.99*1e9/wall || ops > 1.01*1e9/wall {
		t.Errorf("%s: %v ops/s at %v wall-ns/op", name, ops, wall)
	}
	slow, fast := r.value(t, name, "slowest-share"), r.value(t, name, "fastest-share")
	if slow > 1 || fast < 1 {
		t.Errorf("%s: shares %v to %v", name, slow, fast)
	}
	if p99, ok := r.find(name, "p99-ns"); ok {
		t.Errorf("%s: p99 %v of 50 operations", name, p99)
	}
}

// own: what a benchmark reports itself stays.
func (r ran) own(t *testing.T) {
	if got := r.value(t, "Own-2", "widgets"); got != 7 {
		t.Errorf("widgets %v", got)
	}
	if got := r.value(t, "Own-2", "p50-ns"); got != 42 {
		t.Errorf("p50 %v, want its own", got)
	}
	if _, ok := r.find("OwnTime-2", "ns/op"); ok {
		t.Error("ns/op is back")
	}
	mb, wall := r.value(t, "Own-2", "MB/s"), r.value(t, "Own-2", "wall-ns/op")
	if want := 1000 / wall * 1e3; mb < 0.98*want || mb > 1.02*want {
		t.Errorf("%v MB/s at %v wall-ns/op of 1000 bytes", mb, wall)
	}
}

// timers: a goroutine's time runs while the benchmark's does.
func (r ran) timers(t *testing.T) {
	if p50 := r.value(t, "Parallel-2", "p50-ns"); p50 < 0.99*nap {
		t.Errorf("p50 %v of a sleep of %v", p50, nap)
	}
	if n := len(r.results["StopInside-2"].Values); n != 3 { // ns/op B/op allocs/op
		t.Errorf("%d figures of operations some of which were not timed", n)
	}
	for _, name := range []string{"Reset-2", "Stopped-2", "ResetInside-2"} {
		ns, wall := r.value(t, name, "ns/op"), r.value(t, name, "wall-ns/op")
		if ns > 2*wall*1.001 {
			t.Errorf("%s: %v ns/op of 2 goroutines in %v wall-ns/op", name, ns, wall)
		}
	}
}

// serial: ops/s, and nothing else.
func (r ran) serial(t *testing.T) {
	for _, name := range []string{"Serial-2", "Sub/size=2-2", "Starts-2"} {
		ns, ops := r.value(t, name, "ns/op"), r.value(t, name, "ops/s")
		if ops < 0.98*1e9/ns || ops > 1.02*1e9/ns {
			t.Errorf("%s: %v ops/s at %v ns/op", name, ops, ns)
		}
		if n := len(r.results[name].Values); n != 4 { // ns/op ops/s B/op allocs/op
			t.Errorf("%s: %d figures", name, n)
		}
	}
}

func (r ran) trials(t *testing.T) {
	seen := map[string]Trial{}
	for _, trial := range r.Trials {
		if trial.Package != "example.com/sample" || trial.N != 50 || trial.Procs != 2 {
			t.Errorf("trial %+v", trial)
		}
		seen[trial.Name] = trial
	}
	if len(seen) != len(r.results) || len(r.Trials) != len(seen) {
		t.Errorf("%d trials of %d benchmarks, %d lines", len(r.Trials), len(seen), len(r.results))
	}
	p := seen["BenchmarkParallel-2"]
	if p.Hist == nil || p.Hist.Count() != 50 || !p.Each {
		t.Fatalf("histogram of BenchmarkParallel: %+v", p)
	}
	if sum := int64(p.Hist.Sum()); sum > p.RecordedNS || p.RecordedNS > p.GoroutineNS || p.LongestNS < p.Hist.Max() {
		t.Errorf("latencies add up to %d, recorded %d of %d ns; longest %d, max %d",
			sum, p.RecordedNS, p.GoroutineNS, p.LongestNS, p.Hist.Max())
	}
	var want []string
	if seen["BenchmarkStarts-2"].Started > 0 { // the runtime counts goroutines
		want = []string{"BenchmarkStarts", "BenchmarkReportsNothing"}
	}
	if blind := r.Blind(); !slices.Equal(blind, want) {
		t.Errorf("not seen: %q, want %q", blind, want)
	}
}

// What single operations cost to time is for benchmarks (make overhead) and for a
// virtual clock (gotest/parallel): here it is that each is dealt once, and that
// none is timed twice.
func TestShortOperations(t *testing.T) {
	r := runSample(t, "-run=^$", "-benchtime=100000x", "-cpu=2,64", "-bench=Counts|Crowd")
	if r.ExitCode != 0 || len(r.Trials) != 4 {
		t.Fatalf("exit code %d, %d trials\n%s%s", r.ExitCode, len(r.Trials), r.stdout, r.stderr)
	}
	for _, trial := range r.Trials {
		if n := int(trial.Hist.Count()); n > trial.N || trial.Each != (n == trial.N) {
			t.Errorf("%s: %d of %d operations timed, each: %v", trial.Name, n, trial.N, trial.Each)
		}
	}
}

// What a failing benchmark prints and its exit code are go test's; trials that
// ended before stand.
func TestFailures(t *testing.T) {
	for bench, text := range map[string]string{
		"BenchmarkParallel$|Fatal": "in a goroutine", "BenchmarkParallel$|Early": "body exited without pb.Next() == false", "BenchmarkParallel$|Panics": "panic: in a goroutine",
	} {
		r := runSample(t, "-tags=fails", "-run=^$", "-bench="+bench, "-benchtime=2x")
		if r.ExitCode != 1 || !strings.Contains(r.stdout+r.stderr, text) {
			t.Errorf("%s: exit code %d\n%s%s", bench, r.ExitCode, r.stdout, r.stderr)
		}
		if len(r.Trials) != 1 {
			t.Errorf("%s: %d trials, want that of BenchmarkParallel", bench, len(r.Trials))
		}
	}
}

// The flags that change how tests are built or run.
func TestFlags(t *testing.T) {
	for i, flags := range []string{
		"-cpu=1,3", "-race", "-cover", "-coverpkg=all", "-v", "-gcflags=all=-l", "-count=2", "-trimpath", "-shuffle=on", "-mod=vendor",
	} {
		if testing.Short() && i > 0 { // each is a build of its own
			return
		}
		t.Run(flags, func(t *testing.T) {
			if flags == "-race" {
				needRace(t)
			}
			args := []string{flags, "-run=^$", "-bench=BenchmarkParallel$", "-benchtime=20x"}
			name := "Parallel-2"
			if flags == "-cpu=1,3" {
				name = "Parallel-3"
			} else {
				args = append(args, "-cpu=2")
			}
			r := runSample(t, args...)
			if r.ExitCode != 0 || r.value(t, name, "ns/op") < nap || r.value(t, name, "goroutines") < 1 {
				t.Errorf("exit code %d\n%s%s", r.ExitCode, r.stdout, r.stderr)
			}
		})
	}
}

// needRace skips where the race detector cannot be built.
func needRace(t *testing.T) {
	if os.Getenv("SYNCWRITE_REQUIRE") != "1" && goEnv(t, "CGO_ENABLED") != "1" {
		t.Skip("the race detector needs cgo")
	}
}

// -json carries the same lines.
func TestJSON(t *testing.T) {
	r := runSample(t, "-json", "-run=^$", "-bench=Four", "-benchtime=3x")
	text := ""
	for line := range strings.Lines(r.stdout) {
		var event struct{ Output string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		text += event.Output
	}
	for _, want := range []string{"ns-op: goroutine-time\n", "BenchmarkFour", "wall-ns/op\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The user's own overlay holds, beside ours and in its place.
func TestOwnOverlay(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	extra := write("extra.go", "package sample\n\nimport \"testing\"\n\nfunc BenchmarkExtra(b *testing.B) { b.RunParallel(body) }\n")
	edited := write("benchmark.go", strings.ReplaceAll(string(original(t, goEnv(t, "GOROOT"))), `"goarch: %s\n"`, `"GOARCH is %s\n"`))
	own := write("overlay.json", `{"Replace":{"extra_test.go":`+quote(extra)+`,`+
		quote(goEnv(t, "GOROOT")+"/src/./testing/benchmark.go")+`:`+quote(edited)+`}}`) // the same file by another name
	bench := []string{"-run=^$", "-bench=Extra", "-benchtime=20x", "-cpu=2"}
	check := func(r ran) {
		t.Helper()
		if r.value(t, "Extra-2", "goroutines") != 2 || !strings.Contains(r.stdout, "GOARCH is ") {
			t.Errorf("%s%s", r.stdout, r.stderr)
		}
	}
	check(runSample(t, append(bench, "-overlay", own)...))
	check(runSample(t, append([]string{"--overlay=" + own}, bench...)...))
	t.Setenv("GOFLAGS", strings.TrimSpace(goEnv(t, "GOFLAGS")+" -overlay="+own))
	check(runSample(t, bench...))
}

func quote(path string) string {
	text, _ := json.Marshal(path)
	return string(text)
}

// A testing package that is not as expected runs as it is, with ops/s added.
func TestFallsBack(t *testing.T) {
	dir := t.TempDir()
	root := goEnv(t, "GOROOT")
	strange := strings.ReplaceAll(string(original(t, root)), "r := b.doBench()", "r := (b.doBench())")
	os.WriteFile(filepath.Join(dir, "benchmark.go"), []byte(strange), 0o666)
	own := filepath.Join(dir, "overlay.json")
	os.WriteFile(own, []byte(`{"Replace":{`+quote(filepath.Join(root, "src", "testing", "benchmark.go"))+`:`+quote(filepath.Join(dir, "benchmark.go"))+`}}`), 0o666)
	for _, flags := range [][]string{nil, {"-v"}} {
		r := runSample(t, append(flags, "-run=^$", "-bench=Four", "-benchtime=20x", "-cpu=2", "-overlay="+own)...)
		ns, ops := r.value(t, "Four-2", "ns/op"), r.value(t, "Four-2", "ops/s")
		if r.ExitCode != 0 || r.Plain == nil || ops < 0.99*1e9/ns || ops > 1.01*1e9/ns || len(r.Trials) > 0 {
			t.Errorf("exit code %d, %v, %d trials\n%s%s", r.ExitCode, r.Plain, len(r.Trials), r.stdout, r.stderr)
		}
		if _, ok := r.find("Four-2", "goroutines"); ok {
			t.Error("goroutines in the output of plain go test")
		}
	}
}

// A binary that -c builds is honest by itself, wherever it runs.
func TestCompiledBinary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "sample.test")
	if r := runSample(t, "-c", "-o", binary); r.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s", r.ExitCode, r.stderr)
	}
	c := exec.Command(binary, "-test.run=^$", "-test.bench=Four", "-test.benchtime=2x")
	c.Dir = t.TempDir()
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(" wall-ns/op\n")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Where nothing can be kept, it works all the same.
func TestUnwritableCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o666)
	var stdout, stderr bytes.Buffer
	o, err := Run(t.Context(), Config{
		Args:  []string{"-C", sample, "-run=^$", "-bench=Four", "-benchtime=2x"},
		Cache: filepath.Join(file, "cache"), Stdout: &stdout, Stderr: &stderr,
	})
	if err != nil || o.Plain != nil || len(o.Trials) != 1 || stderr.Len() > 0 {
		t.Errorf("%v, %+v\n%s", err, o, stderr.Bytes())
	}
}

// Where the directory for temporary files is a relative one, test binaries find it, too: they run elsewhere.
func TestRelativeTemporaryDirectory(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(here, t.TempDir())
	if err != nil {
		t.Skip("no way there: ", err)
	}
	t.Setenv("GOTMPDIR", t.TempDir()) // of the go command itself
	t.Setenv("TMPDIR", relative)
	r := runConfig(t, Config{Why: true}, "-run=^$", "-bench=Four", "-benchtime=20x", "-cpu=2")
	if r.ExitCode != 0 || len(r.Trials) != 1 || len(r.Breakdowns) == 0 || r.Breakdowns[0].TimeNS == 0 {
		t.Errorf("exit code %d, %d trials, %+v\n%s%s", r.ExitCode, len(r.Trials), r.Breakdowns, r.stdout, r.stderr)
	}
}
