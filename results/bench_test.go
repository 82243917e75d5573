package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// benchTrial holds what a benchmark line can carry, and nothing else.
func benchTrial(experiment, variant string, n, block int) Trial {
	t := missingTrial()
	t.Experiment, t.Variant, t.Goroutines, t.Started, t.Block = experiment, variant, n, n, block
	t.Ops, t.WallNS = 1000*n+block, int64(1e6+block)
	t.Latency.MeanNS = Number(n*1000) + 0.25
	t.Latency.P50NS, t.Latency.P99NS = 900, 4000.5
	t.Usage.Allocs = Number(2 * t.Ops)
	t.GoroutineNS = roundNS(t.Latency.MeanNS * Number(t.Ops))
	return t
}

func benchRun(procs int, trials ...Trial) *Run {
	env := missingEnv()
	env.Format = Format
	env.Machine.GOOS, env.Machine.GOARCH, env.Machine.CPU, env.Machine.GOMAXPROCS = "linux", "amd64", "Example CPU @ 2 GHz", procs
	durable, fleeting := Promise{"total", "linearizable", "power-cut"}, Promise{"none", "unique", "nothing"}
	run := &Run{Envs: []Env{env}, Trials: trials}
	for _, name := range []string{"log", "thread-pool-2", "http-2x", "2pc"} {
		run.Experiments = append(run.Experiments, Experiment{Name: name, Variants: []Variant{
			{Name: "naive-file", Promise: durable}, {Name: "in-order-2", Promise: fleeting},
		}})
	}
	return run
}

func writeBench(t *testing.T, run *Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteBench(&out, run); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func readBench(t *testing.T, text string) *Run {
	t.Helper()
	run, err := ReadBench(strings.NewReader(text), "run.bench")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return run
}

// printed prints a trial so that a missing number equals a missing one.
func printed(t Trial) string { return fmt.Sprintf("%+v", t) }

func TestBenchRoundTrip(t *testing.T) {
	for _, procs := range []int{1, 2} {
		var trials []Trial
		for _, experiment := range []string{"2pc", "http-2x", "log", "thread-pool-2"} {
			for _, variant := range []string{"naive-file", "in-order-2"} {
				for block := 1; block <= 3; block++ {
					trial := benchTrial(experiment, variant, 8, block)
					trial.Factors = map[string]string{"payload": "128", "sync-every": "5 ms", "a/b": "x=y%"}
					trials = append(trials, trial)
				}
			}
		}
		want := benchRun(procs, trials...)
		text := writeBench(t, want)
		got := readBench(t, text)
		if len(got.Problems) > 0 || len(got.Trials) != len(trials) {
			t.Fatalf("%d trials, problems %v in\n%s", len(got.Trials), got.Problems, text)
		}
		for i, trial := range got.Trials {
			if len(trial.Warnings) != 1 || trial.Warnings[0].Code != WarnKept || !got.OfBench() {
				t.Errorf("nothing says what is not kept: %v", trial.Warnings)
			}
			trial.Warnings = nil
			if printed(trial) != printed(trials[i]) {
				t.Errorf("GOMAXPROCS %d: read\n%+v\nwant\n%+v", procs, trial, trials[i])
			}
			promise := want.Experiment(trial.Experiment).Variant(trial.Variant).Promise
			if p := got.Experiment(trial.Experiment).Variant(trial.Variant).Promise; p != promise {
				t.Errorf("%v promises %v, want %v", trial.Cell(), p, promise)
			}
		}
		if fmt.Sprint(got.Envs) != fmt.Sprint(want.Envs) {
			t.Errorf("env %v, want %v", got.Envs, want.Envs)
		}
		if again := writeBench(t, got); again != text {
			t.Errorf("written again:\n%s\nwant\n%s", again, text)
		}
	}
}

func TestABenchLineAsTheDesignHasIt(t *testing.T) {
	trial := benchTrial("log", "naive-file", 8, 1)
	trial.Factors = map[string]string{"payload": "3"}
	text := writeBench(t, benchRun(2, trial))
	if want := "\nBenchmarkLog/variant=naive-file/payload=3/goroutines=8-2 8001 "; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if !strings.Contains(text, "\nsurvives: power-cut\n") {
		t.Errorf("no promise in\n%s", text)
	}
}

// Any name comes back, and different factors never share a key.
func TestBenchNamesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringMatching(`[a-z0-9]+(-[a-z0-9]+)*`), rapid.StringN(1, 20, -1))
		trial := Trial{Experiment: name.Draw(t, "experiment"), Variant: name.Draw(t, "variant"), Goroutines: 3}
		trial.Factors = rapid.MapOfN(name, name, 0, 3).Draw(t, "factors")
		if checkBenchName(trial) != nil {
			return
		}
		procs := rapid.IntRange(1, 64).Draw(t, "procs")
		text := benchName(trial, procs)
		if len(strings.Fields("Benchmark"+text)) != 1 {
			t.Fatalf("%q is not one word", text)
		}
		got, gotProcs, err := parseBenchName(text)
		if err != nil || got.Experiment != trial.Experiment || got.Variant != trial.Variant || gotProcs != procs || fmt.Sprint(got.Factors) != fmt.Sprint(trial.Factors) {
			t.Fatalf("%q: read %+v procs %d, error %v; want %+v procs %d", text, got, gotProcs, err, trial, procs)
		}
	})
}

func TestFactorKeysOfDifferentFactorsDiffer(t *testing.T) {
	one, two := FactorKey(map[string]string{"a": "1/b=2"}), FactorKey(map[string]string{"a": "1", "b": "2"})
	if one == two {
		t.Errorf("both are %s", one)
	}
	if two != "a=1/b=2" {
		t.Errorf("plain factors became %s", two)
	}
}

func TestBenchRefusesItsOwnNamesAsFactors(t *testing.T) {
	for _, name := range []string{"variant", "goroutines"} {
		trial := benchTrial("log", "naive-file", 1, 1)
		trial.Factors = map[string]string{name: "1"}
		var out bytes.Buffer
		if err := WriteBench(&out, benchRun(1, trial)); err == nil || out.Len() > 0 {
			t.Errorf("factor %s: error %v after %d bytes", name, err, out.Len())
		}
	}
}

func TestWhatIsNoTrialIsAProblem(t *testing.T) {
	good := writeBench(t, benchRun(2, benchTrial("log", "naive-file", 1, 1)))
	for _, c := range []struct{ line, want string }{
		{"BenchmarkLog-2 1000 1234 ns/op", "no variant= or goroutines="},
		{"BenchmarkLog/file-2 1000 1234 ns/op", `"file" is not name=level`},
		{"BenchmarkLog/variant=file/goroutines=8-2 1000 1234 ns/op 8 B/op", "no ops/s: not a line that syncwrite wrote"},
		{"BenchmarkLog/variant=file/goroutines=x-2 1000 1234 ns/op 1 ops/s", "invalid syntax"},
		{"BenchmarkLog/variant=file/goroutines=0-2 1000 1234 ns/op 1 ops/s", "no variant= or goroutines="},
		{"BenchmarkLog/variant=%zz/goroutines=1-2 1000 1234 ns/op 1 ops/s", "invalid URL escape"},
		{"BenchmarkLog/variant=file/goroutines=8-2 0 1234 ns/op 1 ops/s", "0 operations"},
		{"BenchmarkLog/variant=file/goroutines=8-2 10 -5 ns/op 1 ops/s", "no ns/op"},
		{"BenchmarkLog/variant=file/goroutines=8-2 10 NaN ns/op 1 ops/s", "no ns/op"},
		{"BenchmarkLog/variant=file/goroutines=8-2 10 1e300 ns/op 1 ops/s", "no ns/op"},
		{"BenchmarkLog/variant=file/goroutines=8-2 ten 5 ns/op", "parsing iteration count"},
	} {
		run := readBench(t, "PASS\n"+c.line+"\nok  \tpkg\t1.2s\n"+good)
		if len(run.Trials) != 1 || len(run.Problems) != 1 || run.Problems[0].Line != 2 || !strings.Contains(run.Problems[0].Text, c.want) {
			t.Errorf("%s: %d trials, problems %v, want line 2: …%s…", c.line, len(run.Trials), run.Problems, c.want)
		}
		if _, err := ReadBench(strings.NewReader(c.line+"\n"), "x"); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s alone: error %v", c.line, err)
		}
	}
	if _, err := ReadBench(strings.NewReader(strings.Repeat("x", 1<<20)), "x"); !errors.Is(err, ErrForeign) {
		t.Errorf("a long line: error %v", err)
	}
}

// Two machines in one file stay two, and so do their blocks.
func TestBenchKeepsMachinesApart(t *testing.T) {
	one := writeBench(t, benchRun(1, benchTrial("log", "naive-file", 4, 1)))
	two := writeBench(t, benchRun(2, benchTrial("log", "naive-file", 4, 1)))
	run := readBench(t, one+two)
	if len(run.Envs) != 2 || run.Envs[1].Machine.GOMAXPROCS != 2 || run.Trials[1].Env != 1 || run.Trials[1].Block != 1 {
		t.Errorf("read %+v", run)
	}
}

func TestATrialWithoutOperationsHasNoLine(t *testing.T) {
	idle := benchTrial("log", "naive-file", 4, 1)
	idle.Ops = 0
	if text := writeBench(t, benchRun(2, idle)); strings.Contains(text, "Benchmark") {
		t.Errorf("wrote %s", text)
	}
}

func TestBenchOfTrialsWithoutEnv(t *testing.T) {
	if text := writeBench(t, &Run{Trials: []Trial{benchTrial("log", "v", 1, 1)}}); !strings.Contains(text, "BenchmarkLog/variant=v/goroutines=1 ") {
		t.Errorf("wrote %s", text)
	}
}

// unavailable skips, or fails where everything is required.
func unavailable(t *testing.T, reason string, args ...any) {
	t.Helper()
	if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
		t.Fatalf(reason, args...)
	}
	t.Skipf(reason, args...)
}

func TestBenchstatReadsIt(t *testing.T) {
	run := benchRun(2)
	for block := 1; block <= 7; block++ {
		fast, slow := benchTrial("log", "fast", 4, block), benchTrial("log", "slow", 4, block)
		fast.Ops, fast.WallNS = 1000, int64(1e6+1000*block) // median 1004 ns an operation
		slow.Ops, slow.WallNS = 1000, int64(2e6+1000*block) // median 2004 ns
		run.Trials = append(run.Trials, slow, fast)
	}
	file := filepath.Join(t.TempDir(), "run.bench")
	if err := os.WriteFile(file, []byte(writeBench(t, run)), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "tool", "-modfile=tools/go.mod", "benchstat", "-col", "/variant", "-format", "csv", file)
	command.Dir = ".."
	var errs bytes.Buffer
	command.Stderr = &errs
	table, err := command.Output()
	if err != nil {
		unavailable(t, "benchstat cannot be run here: %v: %s", err, errs.String())
	}
	// The columns stand in the order of the file: by name where no description gives another.
	for _, want := range []string{"Log/goroutines=4-2,1.004e-06,0%,2.004e-06,0%,+99.60%,p=0.001 n=7", "ops/s"} {
		if !strings.Contains(string(table), want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}
