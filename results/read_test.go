package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// A small file as the command writes it.
func realFile(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile("testdata/run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A crash can end a file at any byte.
func TestAFileCutAnywhereKeepsItsWholeLines(t *testing.T) {
	file := realFile(t)
	for cut := range file {
		checkCut(t, file[:cut])
	}
}

func checkCut(t *testing.T, file []byte) {
	t.Helper()
	run, err := Read(bytes.NewReader(file), "cut.jsonl")
	if err != nil {
		if !errors.Is(err, ErrForeign) || bytes.Contains(file, []byte("}\n")) {
			t.Fatalf("cut at %d: %v", len(file), err)
		}
		return
	}
	tail := file[bytes.LastIndexByte(file, '\n')+1:]
	whole := bytes.Count(file, []byte(`{"record":"trial"`)) - bytes.Count(tail, []byte(`{"record":"trial"`))
	if bytes.HasSuffix(tail, []byte("}]}")) || len(run.Problems) == 0 {
		whole += bytes.Count(tail, []byte(`{"record":"trial"`))
	}
	if len(run.Trials) != whole {
		t.Fatalf("cut at %d: %d trials, want %d", len(file), len(run.Trials), whole)
	}
	if len(tail) == 0 && len(run.Problems) > 0 || len(run.Problems) > 1 {
		t.Fatalf("cut at %d: problems %v", len(file), run.Problems)
	}
	for _, p := range run.Problems {
		if p.File != "cut.jsonl" || p.Line != bytes.Count(file, []byte("\n"))+1 || !strings.HasPrefix(p.Text, "line ends early: ") {
			t.Fatalf("cut at %d: problem %+v", len(file), p)
		}
	}
}

func TestTheRealFileHasNoProblem(t *testing.T) {
	run := read(t, realFile(t))
	if len(run.Problems) > 0 || len(run.Trials) < 4 || len(run.Ends) != 1 {
		t.Errorf("%d trials, %d ends, problems %v", len(run.Trials), len(run.Ends), run.Problems)
	}
	for _, trial := range run.Trials {
		if trial.Latency.Hist == nil || trial.Latency.Hist.Count() != trial.Latency.Samples {
			t.Errorf("%v: histogram of %d samples lost", trial.Cell(), trial.Latency.Samples)
		}
	}
}

func TestBadLinesAreNamedAndSkipped(t *testing.T) {
	with := func(field string) string { return strings.Replace(bareTrial, `"ops":5`, field, 1) }
	for _, c := range []struct{ name, line, want string }{
		{"text", "hello\n", "invalid character"},
		{"array", "[1,2]\n", "cannot unmarshal array"},
		{"null", "null\n", `unknown record ""`},
		{"unknown record", `{"record":"telegram"}` + "\n", `unknown record "telegram"`},
		{"no block", strings.Replace(bareTrial, `"block":1,`, "", 1), "trial of block 0"},
		{"zero wall", strings.Replace(bareTrial, `"wall_ns":10`, `"wall_ns":0`, 1), "5 operations in 0 ns"},
		{"negative wall", strings.Replace(bareTrial, `"wall_ns":10`, `"wall_ns":-1`, 1), "in -1 ns"},
		{"negative ops", with(`"ops":-5`), "-5 operations"},
		{"negative failed", with(`"ops":5,"failed":-1`), "failed of -1"},
		{"negative goroutine time", with(`"ops":5,"goroutine_ns":-7`), "goroutine_ns of -7"},
		{"negative start wait", with(`"ops":5,"start_wait_ns":-7`), "start_wait_ns of -7"},
		{"negative failures of a kind", with(`"ops":5,"kinds":[{"kind":"a","ops":5,"failures":{"x":-18}}]`), "-18 failures of a: x"},
		{"negative processor time", with(`"ops":5,"processes":[{"process":"server","cpu_ns":-5}]`), "server used -5 ns"},
		{"moments turned round", with(`"ops":5,"moments":[{"at_ns":5},{"at_ns":0}]`), "at 0 ns"},
		{"negative accepted", with(`"ops":5,"accepted_ns":-7`), "accepted_ns of -7"},
		{"no goroutines", strings.Replace(bareTrial, `"goroutines":1`, `"goroutines":0`, 1), "0 goroutines"},
		{"no variant", strings.Replace(bareTrial, `"variant":"v",`, "", 1), "without experiment or variant"},
		{"nameless factor", with(`"ops":5,"factors":{"":"1"}`), "factor without a name"},
		{"factor a number", with(`"ops":5,"factors":{"a":1}`), "cannot unmarshal number"},
		{"ops a fraction", with(`"ops":5.5`), "cannot unmarshal number 5.5"},
		{"number beyond float64", with(`"ops":5,"usage":{"allocs":1e999}`), "value out of range"},
		{"torn histogram", with(`"ops":5,"latency":{"hist":"AQ"}`), "histogram: sum cut short"},
	} {
		run := read(t, []byte(bareEnv+c.line+bareTrial))
		if len(run.Trials) != 1 || len(run.Problems) != 1 {
			t.Errorf("%s: %d trials, problems %v", c.name, len(run.Trials), run.Problems)
			continue
		}
		p := run.Problems[0]
		if p.File != "run.jsonl" || p.Line != 2 || !strings.Contains(p.Text, c.want) {
			t.Errorf("%s: problem %v, want line 2: …%s…", c.name, p, c.want)
		}
	}
}

// A trial of the open loop among others of its cell, or the other way round, is of another operation.
func TestTrialOfAnotherLoop(t *testing.T) {
	file := realFile(t)
	start := bytes.LastIndex(file, []byte(`{"record":"trial"`))
	end := start + bytes.IndexByte(file[start:], '\n') + 1
	next := bytes.Replace(file[start:end], []byte(`"block":1`), []byte(`"block":2`), 1)
	other := bytes.Replace(next, []byte(`"ops":`), []byte(`"open":{"due":1},"ops":`), 1)
	before := len(read(t, file).Trials)
	for _, c := range []struct {
		line  []byte
		taken int
	}{{next, 1}, {other, 0}} {
		run := read(t, bytes.Join([][]byte{file[:end], c.line, file[end:]}, nil))
		if len(run.Trials) != before+c.taken || len(run.Problems) != 1-c.taken {
			t.Errorf("%d trials, and %d before; %v", len(run.Trials), before, run.Problems)
		}
	}
}

func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x: not a syncwrite results file"},
		{"blank lines", "\n \n", "x: not a syncwrite results file"},
		{"prose", "It was a dark\nand stormy night", "line 1: invalid character"},
		{"other JSON", `{"a":1}`, `unknown record ""`},
		{"trial without env", bareTrial, "trial without its env"},
		{"newer format", `{"record":"env","format":2}` + "\n" + bareTrial, "format 2: this program reads format 1"},
		{"no line end", strings.Repeat("x", longestLine+1), "line 1: "},
		{"zeros", string(make([]byte, 1000)), "line 1: "},
	} {
		_, err := Read(strings.NewReader(c.text), "x")
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %.200v, want …%s…", c.name, err, c.want)
		}
	}
}

// Trials behind an env that could not be read must not pass for trials of the
// machine before.
func TestTrialsBehindALostEnvAreRefused(t *testing.T) {
	for _, lost := range []string{`{"record":"env","format":9}`, `{"record":"env","form`} {
		run := read(t, []byte(bareEnv+bareTrial+lost+"\n"+bareTrial+bareEnv+bareTrial))
		if len(run.Trials) != 2 || run.Trials[1].Env != 1 || len(run.Problems) != 2 {
			t.Errorf("behind %s: %d trials, problems %v", lost, len(run.Trials), run.Problems)
		}
	}
}

func TestHugeLines(t *testing.T) {
	name := strings.Repeat("n", 5<<20)
	huge := strings.Replace(bareTrial, `"variant":"v"`, `"variant":"`+name+`"`, 1)
	tooHuge := `{"record":"` + strings.Repeat("x", longestLine) + `"}` + "\n"
	run := read(t, []byte(bareEnv+huge+tooHuge+bareTrial))
	if len(run.Trials) != 2 || run.Trials[0].Variant != name || run.Trials[1].Variant != "v" {
		t.Errorf("%d trials", len(run.Trials))
	}
	if want := []Problem{{"run.jsonl", 3, "line of more than 16 MiB"}}; !reflect.DeepEqual(run.Problems, want) {
		t.Errorf("problems %v, want %v", run.Problems, want)
	}
}

type failing struct{ after *strings.Reader }

func (f failing) Read(p []byte) (int, error) {
	if f.after.Len() == 0 {
		return 0, errors.New("input/output error")
	}
	return f.after.Read(p)
}

func TestAnErrorOfTheDiskIsNotForeign(t *testing.T) {
	_, err := Read(failing{strings.NewReader(bareEnv)}, "x")
	if err == nil || errors.Is(err, ErrForeign) || err.Error() != "read x: input/output error" {
		t.Errorf("error %v", err)
	}
}

func TestMergeKeepsEachTrialWithItsEnv(t *testing.T) {
	one, two := read(t, []byte(bareEnv+bareTrial)), read(t, []byte(bareEnv+bareEnv+bareTrial))
	one.Merge(two)
	if len(one.Envs) != 3 || one.Trials[0].Env != 0 || one.Trials[1].Env != 2 {
		t.Errorf("merged %+v", one)
	}
}

func TestTheSameRunTwiceCountsOnce(t *testing.T) {
	run := read(t, realFile(t))
	trials := len(run.Trials)
	run.Merge(read(t, realFile(t)))
	if len(run.Trials) != trials || len(run.Envs) != 1 || len(run.Problems) != 1 || !strings.Contains(run.Problems[0].Text, "given twice") {
		t.Errorf("%d trials, want %d; problems %v", len(run.Trials), trials, run.Problems)
	}
	other := read(t, realFile(t))
	other.Envs[0].Settings.Seed++
	if run.Merge(other); len(run.Trials) != 2*trials {
		t.Errorf("%d trials of two runs, want %d", len(run.Trials), 2*trials)
	}
}

// A run that was cut off stays so, whoever is given twice beside it.
func TestARunGivenTwiceHidesNoMissingEnd(t *testing.T) {
	end := `{"record":"end","status":"complete"}` + "\n"
	whole := strings.Replace(bareEnv, `"env"`, `"env","start":"2026-11-01T10:00:00Z"`, 1) + bareTrial + end
	cut := strings.Replace(bareEnv, `"env"`, `"env","start":"2026-11-01T11:00:00Z"`, 1) + bareTrial
	glued := read(t, []byte(whole+whole+cut))
	if len(glued.Envs) != 2 || len(glued.Ends) != 1 {
		t.Errorf("in one file: %d ends of %d envs", len(glued.Ends), len(glued.Envs))
	}
	for name, parts := range map[string][]string{"whole twice": {whole, whole, cut}, "cut twice": {whole, cut, whole + cut}, "all again": {whole, cut, cut + whole}} {
		run := read(t, []byte(parts[0]))
		for _, part := range parts[1:] {
			run.Merge(read(t, []byte(part)))
		}
		if len(run.Envs) != 2 || len(run.Ends) != 1 {
			t.Errorf("%s: %d ends of %d envs", name, len(run.Ends), len(run.Envs))
		}
	}
	if part := read(t, []byte(cut)); len(part.Ends) != 0 {
		t.Errorf("%d ends of a cut-off run", len(part.Ends))
	} else if part.Merge(read(t, []byte(cut+end))); len(part.Ends) != 1 {
		t.Error("the end of a run is not taken from its whole file")
	}
	lost := read(t, []byte(cut+`{"record":"env","format":99}`+"\n"+bareTrial+end))
	if len(lost.Ends) != 0 {
		t.Error("the end of a run that cannot be read counts as that of the one before")
	}
	another := strings.Replace(bareTrial, `"block":1`, `"block":2`, 1)
	glued = read(t, []byte(whole+`{"record":"enw","format":1}`+"\n"+another+end))
	if len(glued.Trials) != 1 || len(glued.Problems) == 0 {
		t.Errorf("%d trials behind the end of a run", len(glued.Trials)-1)
	}
	run := read(t, []byte(whole))
	if run.Merge(read(t, []byte(strings.Replace(cut, "11:00", "12:00", 1)+end))); len(run.Ends) != 2 {
		t.Errorf("%d ends of two whole runs", len(run.Ends))
	}
}

func TestAChangedPromiseIsAProblem(t *testing.T) {
	describe := func(survives string) string {
		return fmt.Sprintf(`{"record":"experiment","name":"e","variants":[{"name":"v","promise":{"survives":%q}}]}`+"\n", survives)
	}
	run := read(t, []byte(bareEnv+describe("nothing")+describe("nothing")))
	if len(run.Problems) > 0 {
		t.Errorf("problems %v", run.Problems)
	}
	run.Merge(read(t, []byte(bareEnv+describe("power-cut"))))
	if len(run.Problems) != 1 || !strings.Contains(run.Problems[0].String(), "variant v promises") {
		t.Errorf("problems %v", run.Problems)
	}
	if got := run.Experiment("e").Variant("v").Promise.Survives; got != "nothing" {
		t.Errorf("promise became %s", got)
	}
	in := read(t, []byte(bareEnv+describe("nothing")+describe("power-cut")))
	if len(in.Problems) != 1 || in.Problems[0].Line != 0 { // no line was skipped
		t.Errorf("in one file: problems %v", in.Problems)
	}
}

func TestEnvOfATrialWithoutOne(t *testing.T) {
	run := &Run{}
	for _, env := range []int{-1, 0, 3} {
		if e := run.EnvOf(Trial{Env: env}); e.LoadBefore.Known() {
			t.Errorf("env %d: %+v", env, e)
		}
	}
}

// Whatever the bytes: no panic, no error but ErrForeign, problems within the
// file, and what was read writes and reads again to the same.
func FuzzRead(f *testing.F) {
	f.Add(realFile(f))
	f.Add([]byte(bareEnv + bareTrial))
	f.Fuzz(func(t *testing.T, file []byte) {
		run, err := Read(bytes.NewReader(file), "f")
		if err != nil {
			if !errors.Is(err, ErrForeign) {
				t.Fatal(err)
			}
			return
		}
		lines := bytes.Count(file, []byte("\n")) + 1
		for _, p := range run.Problems {
			if p.Line < 1 || p.Line > lines || p.Text == "" {
				t.Errorf("problem %+v of %d lines", p, lines)
			}
		}
		for _, trial := range run.Trials {
			if trial.WallNS <= 0 || trial.Ops < 0 || trial.Env >= len(run.Envs) {
				t.Errorf("took %+v", trial)
			}
			again := read(t, append([]byte(bareEnv), write(t, trial)...))
			if len(again.Trials) != 1 {
				t.Errorf("%+v does not come back: %v", trial, again.Problems)
			}
		}
	})
}

// A run that was cut off, with another behind it: whether the line that is lost held
// the second machine is not known by where the line begins.
func TestTrialsBehindALostEnvBelongToNoMachine(t *testing.T) {
	file := realFile(t)
	cut := file[:bytes.LastIndexByte(file[:len(file)-1], '\n')-20] // in the middle of a line
	alone, err := Read(bytes.NewReader(cut), "cut.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(file, []byte(`"start":"2`), []byte(`"start":"1`), 1)
	long := append(bytes.Repeat([]byte("x"), longestLine+1), other[:bytes.IndexByte(other, '\n')+1]...)
	for name, glued := range map[string][]byte{
		"behind half a line":     append(bytes.Clone(cut), other...),
		"behind a line too long": append(append(append(bytes.Clone(cut), '\n'), long...), other[bytes.IndexByte(other, '\n')+1:]...),
	} {
		run, err := Read(bytes.NewReader(glued), "glued.jsonl")
		if err != nil || len(run.Trials) != len(alone.Trials) || len(run.Problems) == 0 {
			t.Errorf("%s: %d trials, %d of the first run alone; %v", name, len(run.Trials), len(alone.Trials), err)
		}
	}
}

func TestTrialsThatCannotBeAreRefused(t *testing.T) {
	for what, change := range map[string]func(*Trial){
		"more lost than done":   func(x *Trial) { *x.Lost = x.Ops + 1 },
		"fewer than none":       func(x *Trial) { *x.Lost = -1 },
		"a negative mean":       func(x *Trial) { x.Latency.MeanNS = -3 },
		"a negative p99":        func(x *Trial) { x.Latency.P99NS = -3 },
		"a negative share":      func(x *Trial) { x.Guard.BusyShare = -1 },
		"more cycles than done": func(x *Trial) { x.Cycles, x.CyclesNS = x.Ops+1, 5 },
		"cycles in no time":     func(x *Trial) { x.Cycles, x.CyclesNS = 3, 0 },
		"a first before all":    func(x *Trial) { x.FirstNS = -1 },
	} {
		trial := filled[Trial](0)
		trial.Ops = 1e6
		change(&trial)
		if run := read(t, write(t, filledEnv(), trial)); len(run.Trials) > 0 || len(run.Problems) != 1 {
			t.Errorf("%s: %d trials, problems %v", what, len(run.Trials), run.Problems)
		}
	}
}

// The rate of users is that of their cycles; of a file from before there were any, of their
// own ends.
func TestRatesOfOlderFiles(t *testing.T) {
	for fields, want := range map[string]float64{
		`"ops":5`:                          5e8,
		`"ops":5,"ends_ns":5`:              1e9,
		`"ops":5,"cycles":4,"cycles_ns":2`: 2e9,
	} {
		run := read(t, []byte(bareEnv+strings.Replace(bareTrial, `"ops":5`, fields, 1)))
		if len(run.Trials) != 1 || run.Trials[0].OpsPerS() != want || run.Trials[0].RateNS() != int64(5e9/want+0.5) {
			t.Errorf("%s: %+v", fields, run.Trials)
		}
	}
}
